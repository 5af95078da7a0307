// Proofs as the API hands them over of a ledger whose id has 64 bytes, and whose hinTS keys change: each leads to the
// ledger id.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type ProvenBlock, type VerifyOptions, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { type OpenMirror, openMirror } from '../../packages/test-support/proofs/open-mirror.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { findSchemaErrors } from './check-schema.ts';
import { type BlockDocument, findLedgerId } from './make-block-document.ts';

// Each proof takes 0.1 s to check.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
afterAll(() => vi.resetConfig());

const folder = mkdtempSync(join(tmpdir(), 'handed-over-keys-'));
const [blocks, rotateEvery] = [46, 10];
let ledgerId: string;
let mirror: OpenMirror;
beforeAll(async () => {
  const shape = {
    seed: 'handed over keys',
    format: 'blocks',
    nodes: 3,
    ledgerIdBytes: 64,
    blocks,
    transactions: 2,
  } as const;
  const { addressBook } = await writeNetwork({ folder, rotateEvery, ...shape });
  ledgerId = findLedgerId(readBlocks(join(folder, 'blocks'))[0]!);
  // As a mirror that has pinned the id, and kept what it was given.
  const given = { ledgerId: Buffer.from(ledgerId, 'hex'), keepsFiles: true, withSource: false };
  mirror = await openMirror(folder, { addressBook, ...given });
});
afterAll(async () => {
  await mirror?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(path: string): Promise<BlockDocument> {
  const { status, body } = await mirror.ask(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  expect(findSchemaErrors(body)).toBeNull();
  return body as BlockDocument;
}

const check = (document: object, options: Partial<VerifyOptions> = {}) =>
  verifyProof(document, { ledgerId, ...options }) as ProvenBlock;

const namingsOf = ({ proof }: BlockDocument) => ('namings' in proof ? proof.namings!.length : null);

it('each block leads to the ledger id, through as many keys as there were', async () => {
  for (const number of [0, 1, 9, 10, 11, 19, 20, 33, 40, blocks - 1]) {
    const document = await ask(`blocks/${number}/proof`);
    const { key, block } = check(document);
    const changes = Math.floor(number / rotateEvery);
    expect([number, namingsOf(document), block]).toEqual([number, changes, BigInt(number)]);
    expect(key!.from).toBe(changes === 0 ? 'ledgerId' : 'named');
    expect(() => check(document, { ledgerId: `${'0'.repeat(64)}${ledgerId.slice(0, 64)}` })).toThrow('not proved');
  }
});

it('what the client has proved is left out', async () => {
  const { key, provedKeys } = check(await ask('blocks/21/proof'));
  const document = await ask(`blocks/45/proof?key=${key!.hash}`);
  expect(namingsOf(document)).toBe(2);
  expect(() => check(document)).toThrow('not proved');
  expect(check(document, { knownKeys: provedKeys! }).key!.from).toBe('named');
  const same = await ask(`blocks/25/proof?key=${key!.hash.toUpperCase()}`);
  expect([namingsOf(same), check(same, { knownKeys: provedKeys! }).key!.from]).toEqual([0, 'known']);
  const root = check(await ask('blocks/44/proof'));
  const known = await ask(`blocks/43/proof?known=${root.signedRoot}`);
  expect(check(known, { knownRoots: [root.signedRoot] }).signedRoot).toBe(root.signedRoot);
});

it('transactions of old keys and of new ones', async () => {
  const { body } = await mirror.ask('transactions?limit=25');
  const { transactions } = body as { transactions: { transaction_id: string }[] };
  for (const { transaction_id: id } of [transactions[0]!, transactions.at(-1)!]) {
    const { items, key } = check(await ask(`transactions/${id}/proof`));
    expect([items.length > 1, key!.from]).toEqual([true, 'named']);
  }
});

it('what names a key has to be there', async () => {
  const named = await mirror.db.query<{ hash: Buffer }>({
    name: '',
    text: 'select key_hash as hash from ledger_key where named_by = (select max(named_by) from ledger_key)',
  });
  const hash = named[0]!.hash.toString('hex');
  await mirror.db.query({
    name: '',
    text: `delete from kept_stream_file where consensus_end in
(select consensus_end from record_file join ledger_key on named_by = index)`,
  });
  const other = openAgain();
  const { status, body } = await other(`blocks/45/proof`);
  expect([status, JSON.stringify(body)]).toEqual([501, expect.stringContaining('The files of block 38 are not here')]);
  expect(check((await other(`blocks/45/proof?key=${hash}`)).body as object, { knownKeys: [hash] }).key!.from).toBe(
    'known',
  );
});

/** Another server, which keeps nothing in memory yet. */
function openAgain() {
  const app = openServer(mirror.db, 'spec', { readAgain: null });
  return async (path: string) => {
    const { statusCode, body } = await app.inject(`/api/v1/${path}`);
    return { status: statusCode, body: JSON.parse(body) as unknown };
  };
}
