// Proofs as the API hands them over: of random items of a simulated network, made of its files or of what was kept of
// them, each accepted by the package for others; what is refused, and why.

import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ProvenBlock, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { findWireBytes } from '../../packages/protocol/wire-fields.ts';
import {
  openSignedTransaction,
  submittedBytes,
  transactionHash,
} from '../../packages/streams/block-stream/signed-transaction.ts';
import { type OpenMirror, openMirror } from '../../packages/test-support/proofs/open-mirror.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { findSchemaErrors } from './check-schema.ts';
import { type BlockDocument, findLedgerId, findPublication, openBlock } from './make-block-document.ts';

// Each proof takes 0.1 s to check.
vi.setConfig({ testTimeout: 300_000 });
afterAll(() => vi.resetConfig());

/** More than two nodes of the stored history, or than one. */
const blocks = 530;
const signEvery = 2;
const folder = mkdtempSync(join(tmpdir(), 'handed-over-'));
let made: Buffer[];
let ledgerId: string;
beforeAll(async () => {
  const network = {
    folder,
    seed: 'handed over',
    format: 'blocks',
    nodes: 4,
    blocks,
    transactions: 3,
    signEvery,
  } as const;
  await writeNetwork(network);
  made = readBlocks(join(folder, 'blocks'));
  ledgerId = findLedgerId(made[0]!);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function askProof({ ask }: OpenMirror, path: string): Promise<BlockDocument> {
  const { status, body } = await ask(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  expect(findSchemaErrors(body)).toBeNull();
  return body as BlockDocument;
}

const check = (document: object, knownRoots: string[] = []) =>
  verifyProof(document, { ledgerId, knownRoots }) as ProvenBlock;

const messagesOf = (body: unknown) =>
  (body as { _status: { messages: { message: string }[] } })._status.messages.map(({ message }) => message).join('; ');

type Row = { id: string; hash: Buffer; number: bigint; inner: boolean };

/** Transactions of a database, in order. */
const listTransactions = (db: Database) =>
  db.query<Row>({
    name: '',
    text: `select '0.0.' || (t.payer_account_id & ((1::int8 << 38) - 1)) || '-' || t.valid_start_ns / 1000000000 || '-' ||
  lpad((t.valid_start_ns % 1000000000)::text, 9, '0') as id, t.transaction_hash as hash, r.index as number,
  t.inner_transactions is null and t.batch_key is not null as inner
from transaction t join record_file r on r.consensus_end >= t.consensus_timestamp and r.consensus_start <= t.consensus_timestamp
order by t.consensus_timestamp`,
  });

/** Every n-th of them. */
const some = <T>(all: readonly T[], count: number) =>
  all.filter((_, at) => at % Math.max(1, Math.floor(all.length / count)) === 0);

/** Shows the pair of this transaction: its hash, and a result. */
function expectPair(document: BlockDocument, hash: Buffer): void {
  const { pairs, items } = check(document);
  const inputs = items.filter(({ subtree }) => subtree === 'inputs').map(({ bytes }) => Buffer.from(bytes));
  const place = inputs.findIndex((bytes) => hashOf(bytes).equals(hash));
  expect(place).toBeGreaterThanOrEqual(0);
  if (pairs) expect(pairs.map(({ input }) => input)).toContain(place);
}

function hashOf(item: Buffer): Buffer {
  const transaction = openSignedTransaction(findWireBytes(item, 4)!);
  return transactionHash(transaction, submittedBytes(transaction));
}

describe('blocks of a block stream', () => {
  let mirror: OpenMirror;
  beforeAll(async () => {
    mirror = await openMirror(folder);
  }, 300_000);
  afterAll(() => mirror?.close());

  it('transactions of random blocks, by id and by hash', async () => {
    const rows = await listTransactions(mirror.db);
    let shown = 0;
    for (const { id, hash, number, inner } of some(rows, 12)) {
      const byId = await askProof(mirror, `transactions/${id}/proof`);
      const proven = check(byId);
      expect([proven.block, proven.ledgerId]).toEqual([number, ledgerId]);
      // Those that the network makes itself are found by id alone.
      const hasHash = (await mirror.ask(`transactions/${hash.toString('hex')}`)).status === 200;
      if (!hasHash) continue;
      const byHash = await askProof(mirror, `transactions/${hash.toString('hex')}/proof`);
      expect(byHash.hashes).toEqual(byId.hashes);
      if (inner) continue;
      expectPair(byHash, hash);
      shown += proven.pairs ? 1 : 0;
    }
    expect(shown).toBeGreaterThan(4);
  });

  it('blocks of any age, by number and by hash, through the blocks between or through the history', async () => {
    const ways = new Set<string>();
    for (const number of [0, 1, 100, 254, 255, 256, 300, 511, 512, blocks - 2, blocks - 1]) {
      const root = openBlock(made[number]!).rootOf('sixteen').toString('hex');
      const document = await askProof(mirror, `blocks/${number}/proof`);
      expect(await askProof(mirror, `blocks/0x${root.slice(0, 64)}/proof`)).toEqual(document);
      expect(check(document)).toMatchObject({ block: BigInt(number), root });
      for (const { from } of document.path) ways.add(from);
    }
    expect([...ways].sort()).toEqual(['history', 'previous']);
  });

  it('ends at a root that the client has proved', async () => {
    const rootOf = (number: number) => openBlock(made[number]!).rootOf('sixteen').toString('hex');
    for (const [number, newer] of [
      [0, 1],
      [3, 3],
      [3, 5],
      [0, blocks - 1],
      [255, 256],
      [256, blocks - 18],
      [blocks - 130, blocks - 1],
      [255, 257],
    ] as const) {
      const document = await askProof(mirror, `blocks/${number}/proof?known=${rootOf(newer)}`);
      expect(document.proof).toEqual({ known: rootOf(newer) });
      expect(check(document, [rootOf(newer)])).toMatchObject({ block: BigInt(number), signedRoot: rootOf(newer) });
    }
    const older = await askProof(mirror, `blocks/9/proof?known=${rootOf(3)}`);
    const unknown = await askProof(mirror, `blocks/9/proof?known=${'ab'.repeat(48)}`);
    const plain = await askProof(mirror, 'blocks/9/proof');
    expect([older, unknown]).toEqual([plain, plain]);
    expect(plain.proof).toHaveProperty('signature');
  });

  it('contract results with outputs and state changes, and messages', async () => {
    const results = await mirror.db.query<{ hash: Buffer; number: bigint }>({
      name: '',
      text: `select substring(t.transaction_hash from 1 for 32) as hash, r.index as number from contract_result c
join transaction t using (consensus_timestamp)
join record_file r on r.consensus_end >= t.consensus_timestamp and r.consensus_start <= t.consensus_timestamp
where t.nonce = 0 and t.type in (7, 8) and t.result = 22 order by 1`,
    });
    let changed = 0;
    for (const { hash, number } of some(results, 6)) {
      const document = await askProof(mirror, `contracts/results/${hash.toString('hex')}/proof`);
      expect(check(document).block).toBe(number);
      const single = check(
        await askProof(mirror, `contracts/results/${hash.toString('hex')}/proof?items=single`),
      ).items.map(({ subtree }) => subtree);
      expect(single.filter((subtree) => subtree === 'outputs').length).toBeGreaterThan(2);
      changed += single.includes('stateChanges') ? 1 : 0;
    }
    expect(changed).toBeGreaterThan(0);
    const messages = await mirror.db.query<{ topic: bigint; number: bigint; text: Buffer }>({
      name: '',
      text: 'select topic_id as topic, sequence_number as number, message as text from topic_message order by 1, 2',
    });
    for (const { topic, number, text } of some(messages, 6)) {
      const path = `topics/0.0.${topic & ((1n << 38n) - 1n)}/messages/${number}/proof`;
      const { items } = check(await askProof(mirror, path));
      const inputs = items.filter(({ subtree }) => subtree === 'inputs').map(({ bytes }) => Buffer.from(bytes));
      expect(inputs.some((bytes) => bytes.includes(text))).toBe(true);
    }
    expect([results.length > 10, messages.length > 10]).toEqual([true, true]);
  });

  it('all items, or single ones', async () => {
    const rows = await listTransactions(mirror.db);
    const { id, hash } = rows.find(({ number, inner }) => number === 7n && !inner)!;
    const single = await askProof(mirror, `transactions/${id}/proof?items=single`);
    expect(single.items.map((item) => 'item' in item)).toEqual([true, true, true]);
    expect(check(single).pairs).toBeNull();
    expectPair(single, hash);
    const all = await askProof(mirror, `transactions/${id}/proof?items=all`);
    expect(all.items.map(({ subtree }) => subtree)).toEqual(['inputs', 'outputs']);
  });

  it.each([
    ['transactions/0.0.2-1-1/proof', 404, 'Not found'],
    ['contracts/results/0.0.2-1-1/proof', 404, 'Not found'],
    ['topics/0.0.9999999/messages/1/proof', 404, 'Not found'],
    ['blocks/99999999/proof', 404, 'Not found'],
    ['blocks/x/proof', 400, 'Invalid parameter: hashOrNumber'],
    ['topics/x/messages/0/proof', 400, 'Invalid parameter: topic.id; Invalid parameter: sequencenumber'],
    ['blocks/1/proof?known=12', 400, 'Invalid parameter: known'],
    [`blocks/1/proof?known=gt:${'ab'.repeat(48)}`, 400, 'Invalid parameter: known'],
    [`blocks/1/proof?known=${'ab'.repeat(1000)}`, 400, 'Invalid parameter: known'],
    ['blocks/1/proof?book=', 400, 'Invalid parameter: book'],
    ['blocks/1/proof?items=all', 400, 'Unknown query parameter: items'],
    ['transactions/0.0.2-1-1/proof?items=none', 400, 'Invalid parameter: items'],
    ['transactions/0.0.2-1-1/proof?items=__proto__', 400, 'Invalid parameter: items'],
    [
      'transactions/0.0.2-1-1/proof?nonce=-1&scheduled=2',
      400,
      'Invalid parameter: nonce; Invalid parameter: scheduled',
    ],
  ])('%s is %i', async (path, status, message) => {
    const { status: found, body } = await mirror.ask(path);
    expect([found, messagesOf(body)]).toEqual([status, message]);
  });

  it('the mirror node has no such paths, and neither has its dialect', async () => {
    for (const path of [
      'blocks/1/proof',
      'blocks/x/proof?known=1',
      'transactions/0.0.2-1-1/proof',
      'blocks/%ff/proof',
    ]) {
      const { statusCode, body } = await mirror.app.inject(`/hiero/api/v1/${path}`);
      expect([statusCode, messagesOf(JSON.parse(body))]).toEqual([404, 'Not found']);
    }
    const { body } = await mirror.app.inject('/hiero/api/v1/docs/openapi.json');
    expect(
      Object.keys((JSON.parse(body) as { paths: object }).paths).filter((path) => path.endsWith('/proof')),
    ).toEqual([]);
  });
});

describe('where the bytes come from', () => {
  let few: string;
  let names: string[];
  beforeEach(() => {
    few = mkdtempSync(join(tmpdir(), 'handed-over-few-'));
    names = readdirSync(join(folder, 'blocks')).sort().slice(0, 40);
    for (const name of names) cpSync(join(folder, 'blocks', name), join(few, 'blocks', name));
  });
  afterEach(() => rmSync(few, { recursive: true, force: true }));

  it('nowhere: 501 with the reason, and 404 for what is not there', async () => {
    const mirror = await openMirror(few, { withSource: false });
    const { status, body } = await mirror.ask('blocks/3/proof');
    expect([status, messagesOf(body)]).toEqual([
      501,
      'The files of block 3 are not here: neither were they kept (--keep-proofs), nor does this mirror know their source (--source)',
    ]);
    expect((await mirror.ask('blocks/300/proof')).status).toBe(404);
    await mirror.close();
  });

  it('kept with the blocks: as from the source', async () => {
    const [kept, read] = [await openMirror(few, { keepsFiles: true, withSource: false }), await openMirror(few)];
    const rows = await listTransactions(kept.db);
    for (const { id } of some(rows, 8)) {
      const document = await askProof(kept, `transactions/${id}/proof`);
      expect(document).toEqual(await askProof(read, `transactions/${id}/proof`));
      expect(check(document).block).not.toBeNull();
    }
    await Promise.all([kept.close(), read.close()]);
  });

  it('a source that has lost the block, or has another one of its number', async () => {
    const mirror = await openMirror(few);
    const place = (number: number) => join(few, 'blocks', names[number]!);
    // Where blocks are is known from here on.
    await askProof(mirror, 'blocks/1/proof');
    rmSync(place(3));
    cpSync(place(9), place(4));
    writeFileSync(place(5), gzipSync(Buffer.from('no block at all')));
    const reasons: [number, string][] = [];
    for (const number of [3, 4, 5]) {
      const { status, body } = await mirror.ask(`blocks/${number}/proof`);
      reasons.push([status, messagesOf(body)]);
    }
    expect(reasons).toEqual([
      [501, 'The source does not have the files of block 3 any more'],
      [501, 'The source has another block of this number than the one that was imported'],
      [501, expect.stringMatching(/^The file .*5[.]blk[.]gz of the source cannot be read$/)],
    ]);
    expect(check(await askProof(mirror, 'blocks/6/proof')).block).toBe(6n);
    await mirror.close();
  });

  it('a mirror that begins later: step by step, and not through a history that it does not have', async () => {
    const mirror = await openMirror(few, {
      start: { kind: 'block', number: 20n },
      ledgerPublication: findPublication(made[0]!),
    });
    for (const number of [20, 25, 33]) {
      const known = openBlock(made[38]!).rootOf('sixteen').toString('hex');
      const document = await askProof(mirror, `blocks/${number}/proof?known=${known}`);
      expect(document.path.map(({ from }) => from)).toEqual(Array.from({ length: 38 - number }, () => 'previous'));
      expect(check(document, [known]).signedRoot).toBe(known);
    }
    await run(mirror.db, 'delete from block_path');
    const { status, body } = await mirror.ask('blocks/21/proof');
    expect([status, messagesOf(body)]).toEqual([
      501,
      expect.stringMatching(/^What leads from block 21 to block \d+, which/),
    ]);
    await mirror.close();
  });

  it('a block that no signature covers yet, and then does', async () => {
    const mirror = await openMirror(few);
    await run(mirror.db, 'update block_verification set kind = null, rests_on = null');
    const { status, body } = await mirror.ask('blocks/8/proof');
    expect([status, messagesOf(body)]).toEqual([501, 'No signature of the network is known yet that covers block 8']);
    await run(mirror.db, `update block_verification set kind = 'chain', rests_on = 39`);
    await run(
      mirror.db,
      `update block_verification set kind = 'signed' where consensus_end = (select max(consensus_end) from record_file)`,
    );
    expect(check(await askProof(mirror, 'blocks/8/proof')).block).toBe(8n);
    await mirror.close();
  });
});

const run = (db: Database, text: string) => db.query({ name: '', text });
