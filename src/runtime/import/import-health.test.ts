// Over HTTP, as operators see it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../../packages/kit/process/log.ts';
import type { ImportProgress } from '../../importer/import-progress.ts';
import { StreamCheckError } from '../../importer/open/stream-check-error.ts';
import { serveImportHealth } from './import-health.ts';

let served: Awaited<ReturnType<typeof serveImportHealth>>;
const serve = (requiresProof: boolean) =>
  serveImportHealth({
    ...{ port: 0, host: '127.0.0.1', clusterId: 'one', requiresProof },
    ...{ log: createLog({ level: 'silent', format: 'json' }), signal: new AbortController().signal },
  });
beforeEach(async () => {
  served = await serve(false);
});
afterEach(() => served.close());

async function ask(path: string): Promise<[status: number, text: string]> {
  const answer = await fetch(served.url + path);
  return [answer.status, await answer.text()];
}

async function metric(name: string): Promise<string | undefined> {
  const [, text] = await ask('/metrics');
  return text.split('\n').find((line) => line.startsWith(`ledger_mirror_import_${name}`));
}

const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;
const progress = (number: bigint): ImportProgress =>
  ({
    block: {
      number,
      consensusEnd: nowNs() - 7_000_000_000n,
      transactions: 12,
      doubts: [{ kind: 'trace', text: 'a trace', count: 3, place: 7 }],
      verification: { proofs: [{ isVerified: false }], rejected: [{ code: 'fileHash' }] },
    },
    problems: 2,
    seconds: { wait: 1, open: 2.5, rows: 3, write: 4 },
  }) as unknown as ImportProgress;

const wrong = new StreamCheckError([
  { code: 'fileHash', file: 'x.rcd.gz', node: 'record0.0.3', expected: 'a', found: 'b', transient: false },
]);

test('it lives, and is ready with what the database held', async () => {
  expect(await ask('/health/liveness')).toEqual([200, '{"status":"ok"}']);
  expect(await ask('/health/readiness')).toEqual([200, '{"status":"ok"}']);
  expect(await metric('block ')).toBe('ledger_mirror_import_block -1');
  served.health.onStored({ number: 41n, consensusEnd: nowNs() - 3_600_000_000_000n, loadEnd: 0n, hapiVersion: null });
  expect(await ask('/health/readiness')).toEqual([200, expect.stringMatching(/"block":41,"lagSeconds":36\d\d\}$/)]);
  expect((await ask('/elsewhere'))[0]).toBe(404);
});

test('block, lag, rejected copies and problems are counted', async () => {
  served.health.onProgress(progress(1n));
  served.health.onProgress(progress(2n));
  expect(await metric('block ')).toBe('ledger_mirror_import_block 2');
  expect(await metric('doubts_total{kind="trace"')).toBe('ledger_mirror_import_doubts_total{kind="trace"} 6');
  expect(await metric('doubts_total{kind="repeatedTime"')).toMatch(/ 0$/);
  expect(await metric('blocks_total')).toBe('ledger_mirror_import_blocks_total 2');
  expect(await metric('stage_seconds_total{stage="open"')).toBe(
    'ledger_mirror_import_stage_seconds_total{stage="open"} 2.5',
  );
  expect(await metric('transactions_total')).toBe('ledger_mirror_import_transactions_total 24');
  expect(await metric('rejected_copies_total')).toBe('ledger_mirror_import_rejected_copies_total{check="fileHash"} 2');
  expect(await metric('unverified_blocks_total')).toBe('ledger_mirror_import_unverified_blocks_total 2');
  expect(await metric('problems_total')).toBe('ledger_mirror_import_problems_total 2');
  expect(Number((await metric('lag_seconds'))!.split(' ')[1])).toBeGreaterThanOrEqual(7);
});

test('halted at a file it is not ready and names it, until it goes on', async () => {
  served.health.onRetry(wrong);
  expect(await metric('halted')).toBe('ledger_mirror_import_halted{file="x.rcd.gz",check="fileHash"} 1');
  expect(await metric('retries_total')).toBe('ledger_mirror_import_retries_total{cause="file"} 1');
  const [status, body] = await ask('/health/readiness');
  expect(status).toBe(503);
  expect(JSON.parse(body)).toMatchObject({ status: 'error', haltedAt: 'x.rcd.gz', reason: wrong.message });
  served.health.onProgress(progress(3n));
  expect((await ask('/health/readiness'))[0]).toBe(200);
  expect(await metric('halted')).toBe('ledger_mirror_import_halted{file="",check=""} 0');
});

test('without its database it is not ready', async () => {
  served.health.onRetry(new Error('connect ECONNREFUSED'));
  const [status, body] = await ask('/health/readiness');
  expect([status, JSON.parse(body)]).toEqual([503, { status: 'error', reason: 'connect ECONNREFUSED' }]);
  expect(await metric('halted')).toBe('ledger_mirror_import_halted{file="",check=""} 0');
});

test('a ledger id that cannot be read is shown, and no reason to ask another mirror', async () => {
  const unread = { block: 7n, source: 'records', reason: 'expected "a", found b', content: null } as const;
  served.health.onUnread(unread);
  const [status, body] = await ask('/health/readiness');
  expect([status, JSON.parse(body)]).toEqual([
    200,
    { status: 'ok', warning: 'block 7 publishes a ledger id that this version cannot read: expected "a", found b' },
  ]);
  expect(await metric('unread_publication_block')).toBe('ledger_mirror_import_unread_publication_block 7');
  const { block, ...others } = progress(8n);
  served.health.onProgress({ ...others, block: { ...block, unread: null } });
  expect(JSON.parse((await ask('/health/readiness'))[1])).not.toHaveProperty('warning');
  expect(await metric('unread_publication_block')).toBe('ledger_mirror_import_unread_publication_block -1');
});

test('where proofs are demanded it is ready only while the newest block is proved', async () => {
  const unproved = 'from block 3 on no signature of the network is verified';
  served.health.onStanding(unproved);
  expect((await ask('/health/readiness'))[0]).toBe(200);
  await served.close();
  served = await serve(true);
  const isProved = (number: bigint, isVerified: boolean): ImportProgress => {
    const { block, ...others } = progress(number);
    const proofs = [{ isVerified }] as ImportProgress['block']['verification']['proofs'];
    return { ...others, block: { ...block, verification: { ...block.verification, proofs } } };
  };
  expect((await ask('/health/readiness'))[0]).toBe(200);
  served.health.onStanding(unproved);
  expect(await ask('/health/readiness')).toEqual([503, `{"status":"error","reason":"${unproved}"}`]);
  served.health.onProgress(isProved(4n, true));
  expect((await ask('/health/readiness'))[0]).toBe(200);
  served.health.onProgress(isProved(5n, false));
  const [status, body] = await ask('/health/readiness');
  expect([status, JSON.parse(body)]).toMatchObject([503, { block: 5, reason: 'block 5 is not proved' }]);
});

test('blocks are counted by what proves them, an unproved key apart', async () => {
  const weights = { weight: 1n, totalWeight: 1n, rotations: null, namedBy: 3n };
  const ofLedger = { ledgerId: Buffer.of(1, 2), origin: 'pinned', keyHash: Buffer.of(5, 6) } as const;
  const cover = { kind: 'signed', restsOn: 9n, ...weights, ...ofLedger } as const;
  for (const attestation of ['namedKey', 'unproved'] as const) {
    const { block, ...others } = progress(9n);
    const verification = { ...block.verification, cover: { ...cover, attestation } };
    served.health.onProgress({ ...others, block: { ...block, verification } });
    const labels = `ledger="0102",origin="pinned",rotations="",attestation="${attestation}",key="0506"`;
    expect(await metric('ledger{')).toBe(`ledger_mirror_import_ledger{${labels}} 1`);
  }
  expect(await metric('verified_blocks_total{by="signed"')).toMatch(/ 1$/);
  expect(await metric('verified_blocks_total{by="unproved"')).toMatch(/ 1$/);
  expect(await metric('unverified_blocks_total')).toBe('ledger_mirror_import_unverified_blocks_total 1');
});
