// Proofs as the API hands them over: of random items of a simulated network, made of its files or of what was kept of them, each
// accepted by the package for others; what is refused, and why.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ProvenBlock, type ProvenRecord, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type ImportStreamOptions, importStream } from '../../src/importer/import-stream.ts';
import { openSignedTransaction } from '../../src/protocol/block-stream/signed-transaction.ts';
import { findWireBytes } from '../../src/protocol/wire-fields.ts';
import { createFolderSource } from '../../src/source/folder-source.ts';
import { createReadAgain } from '../../src/source/read-again.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { createBlockWriter } from '../../src/store/write/block-writer.ts';
import { findSchemaErrors } from './check-schema.ts';
import { type BlockDocument, findLedgerId, openBlock } from './make-block-document.ts';

// Each proof takes 0.1 s to check.
vi.setConfig({ testTimeout: 300_000 });
afterAll(() => vi.resetConfig());

/** More than two nodes of the stored history. */
const blocks = 530;
const folder = mkdtempSync(join(tmpdir(), 'handed-over-'));
let made: Buffer[];
let addressBook: Buffer;
let ledgerId: string;
beforeAll(async () => {
  const network = { folder, seed: 'handed over', format: 'blocks', nodes: 4, blocks, transactions: 3 } as const;
  ({ addressBook } = await writeNetwork(network));
  made = readBlocks(join(folder, 'blocks')).sort((one, other) => Number(numberOf(one) - numberOf(other)));
  ledgerId = findLedgerId(made[0]!);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const numberOf = (block: Buffer) => openBlock(block).proof.block;

type Server = ReturnType<typeof openServer>;
type Imported = { db: Database; app: Server; close(): Promise<void> };

/** @param withSource the files can be read again */
async function importNetwork(
  options: Partial<ImportStreamOptions>,
  { withSource = true, from = folder } = {},
): Promise<Imported> {
  const scratch: ScratchDatabase = await createScratchDatabase();
  const db = openDatabase(scratch);
  const writer = await createBlockWriter(scratch);
  const source = createFolderSource({ path: from });
  await importStream({ source, db, writer, addressBook: null, live: false, ...options });
  await writer.close();
  const read = createReadAgain(createFolderSource({ path: from }));
  const { signal } = new AbortController();
  const app = openServer(db, 'spec', { readAgain: withSource ? (unit) => read(unit, signal) : null });
  return {
    db,
    app,
    async close() {
      await app.close();
      await db.close();
      await scratch.close();
    },
  };
}

async function ask(app: Server, path: string): Promise<{ status: number; body: unknown }> {
  const { statusCode, body } = await app.inject(`/api/v1/${path}`);
  return { status: statusCode, body: JSON.parse(body) };
}

async function askProof(app: Server, path: string): Promise<BlockDocument> {
  const { status, body } = await ask(app, path);
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
  const { signed } = openSignedTransaction(findWireBytes(item, 4)!);
  return createHash('sha384').update(signed).digest();
}

describe('blocks of a block stream', () => {
  let mirror: Imported;
  beforeAll(async () => {
    mirror = await importNetwork({});
  }, 300_000);
  afterAll(() => mirror?.close());

  it('transactions of random blocks, by id and by hash', async () => {
    const rows = await listTransactions(mirror.db);
    let shown = 0;
    for (const { id, hash, number, inner } of some(rows, 60)) {
      const byId = await askProof(mirror.app, `transactions/${id}/proof`);
      const byHash = await askProof(mirror.app, `transactions/${hash.toString('hex')}/proof`);
      const proven = check(byId);
      expect([proven.block, proven.ledgerId]).toEqual([number, ledgerId]);
      expect(check(byHash).block).toBe(number);
      if (inner) continue;
      expectPair(byHash, hash);
      shown += proven.pairs ? 1 : 0;
    }
    expect(shown).toBeGreaterThan(30);
  });
});
