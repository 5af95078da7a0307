// Proofs of record ledgers as the API hands them over, of files of every version, on their own and inside blocks: of
// items by every endpoint, each accepted by the verifier for others; what is refused, and why.
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type ProvenRecord, verifyProof } from '../../clients/verify-proof/verify-proof.js';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { typeNumber } from '../../packages/protocol/hapi/transaction-types.ts';
import { writeAddressBook } from '../../packages/simulated-network/formats/write-address-book.ts';
import { decodeTransactionItem } from '../../packages/streams/record-stream/decode-transaction-item.ts';
import { type OpenMirror, openMirror } from '../../packages/test-support/proofs/open-mirror.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { createSignedStream, createTestKeys } from '../../packages/test-support/streams/signed-stream.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { findSchemaErrors } from './check-schema.ts';
import { findAcceptedFlips } from './flip-bits.ts';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });
const flips = Number(process.env.DOCUMENT_FLIPS ?? 60);
/** Of each simulated network; about as many of its transactions are asked for. */
const [blocks, proofs] = [60, 150];
const folder = mkdtempSync(join(tmpdir(), 'record-endpoints-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hashOf = (book: Buffer) => createHash('sha384').update(book).digest('hex');

type Row = { id: string; time: bigint; hash: Buffer; block: bigint; type: number; nonce: string; scheduled: string };

const ofTransactions = `'0.0.' || (t.payer_account_id & ((1::int8 << 38) - 1)) || '-' || t.valid_start_ns / 1000000000 || '-' ||
  lpad((t.valid_start_ns % 1000000000)::text, 9, '0') as id, t.consensus_timestamp as time, t.transaction_hash as hash, t.type as type, t.nonce::text as nonce, t.scheduled::text as scheduled, r.index as block
from transaction t join record_file r on r.consensus_end >= t.consensus_timestamp and r.consensus_start <= t.consensus_timestamp`;

const select = <T extends object>(db: Database, text: string) => db.query<T>({ name: '', text });

/** About so many of them, from the first to the last. */
const some = <T>(all: readonly T[], count: number) =>
  all.filter((_, at) => at % Math.max(1, Math.floor(all.length / count)) === 0);

/** The item, which the verifier says is proved, as the import reads it. */
function readProven(document: object, book: Buffer, query = '') {
  expect(findSchemaErrors(document), query).toBeNull();
  const { item, block, signers, nodes } = verifyProof(document, { addressBookHash: hashOf(book) }) as ProvenRecord;
  const [transaction, record] = [Buffer.from(item.transaction), Buffer.from(item.record)];
  return { ...decodeTransactionItem({ transaction, record }, 0).item, block, signers, nodes };
}

async function askProof({ ask }: OpenMirror, path: string): Promise<object> {
  const { status, body } = await ask(path);
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
  return body as object;
}

const reasonOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { _status: { messages: { message: string }[] } })._status.messages.map(({ message }) => message)}`;

/** Every n-th transaction and each block, by id and by hash or number. */
async function checkTransactions(mirror: OpenMirror, book: Buffer, { count, nodes = 4, hasNumber = true }: Checked) {
  const rows = await select<Row>(
    mirror.db,
    `select ${ofTransactions} where t.nonce = 0 and not t.scheduled order by 2`,
  );
  const chosen = some(rows, count);
  expect(chosen.length).toBeGreaterThan(0);
  for (const { id, time, hash, block, type } of chosen) {
    const proven = readProven(await askProof(mirror, `transactions/${id}/proof?nonce=0&scheduled=false`), book, id);
    expect(proven.consensusTimestamp).toBe(time);
    expect(proven).toMatchObject({ block: hasNumber ? block : null, nodes, signers: Math.ceil(nodes / 3) });
    // Messages are not found by their hash.
    if (type === typeNumber.consensusSubmitMessage) continue;
    const byHash = await askProof(mirror, `transactions/${hash.toString('hex')}/proof`);
    expect(readProven(byHash, book).record.transactionHash).toEqual(hash);
  }
  for (const block of new Set(chosen.map((row) => row.block))) {
    const document = await askProof(mirror, `blocks/${block}/proof`);
    expect(readProven(document, book).block).toBe(hasNumber ? block : null);
    const [first] = rows.filter((row) => row.block === block);
    expect(readProven(document, book).consensusTimestamp).toBeLessThanOrEqual(first!.time);
  }
  return chosen.length;
}
type Checked = { count: number; nodes?: number; hasNumber?: boolean };

describe.each(['records', 'wrapped'] as const)('a simulated network (%s)', (format) => {
  const path = join(folder, format);
  let book: Buffer;
  let mirror: OpenMirror;
  beforeAll(async () => {
    ({ addressBook: book } = await writeNetwork({
      folder: path,
      seed: 'record endpoints',
      format,
      nodes: 4,
      blocks,
    }));
    mirror = await openMirror(path, { addressBook: book });
  });
  afterAll(() => mirror?.close());
  const hasNumber = format === 'records';

  it('proves transactions and blocks', async () => {
    expect(await checkTransactions(mirror, book, { count: proofs, hasNumber })).toBeGreaterThan((2 * proofs) / 3);
  });

  it('proves contract results and messages, as they are answered', async () => {
    type Message = { topic: bigint; sequence: bigint; time: bigint };
    const messages = await select<Message>(
      mirror.db,
      `select topic_id as topic, sequence_number as sequence, consensus_timestamp as time from topic_message order by 3`,
    );
    for (const { topic, sequence, time } of some(messages, 20)) {
      const of = `topics/0.0.${topic & ((1n << 38n) - 1n)}/messages/${sequence}/proof`;
      const { record, consensusTimestamp } = readProven(await askProof(mirror, of), book);
      expect([consensusTimestamp, BigInt(record.receipt!.topicSequenceNumber!.toString())]).toEqual([time, sequence]);
    }
    const results = await select<Row>(
      mirror.db,
      `select ${ofTransactions} join contract_result c on c.consensus_timestamp = t.consensus_timestamp
where t.nonce = 0 and not t.scheduled order by 2`,
    );
    for (const { id, time } of some(results, 20)) {
      const of = `contracts/results/${id}/proof`;
      expect(readProven(await askProof(mirror, of), book).consensusTimestamp).toBe(time);
    }
    expect(Math.min(messages.length, results.length)).toBeGreaterThan(5);
  });

  it('names the address book that was valid, and takes one that the client names', async () => {
    const [row] = await select<Row>(mirror.db, `select ${ofTransactions} order by 2 limit 1`);
    const of = `transactions/${row!.hash.toString('hex')}/proof`;
    const [plain, named] = [await askProof(mirror, of), await askProof(mirror, `${of}?book=${hashOf(book)}`)];
    expect(named).toEqual(plain);
    expect(await findAcceptedFlips(plain, { addressBookHash: hashOf(book) }, flips)).toEqual([]);
    const unknown = await mirror.ask(`${of}?book=${'ab'.repeat(48)}`);
    expect(reasonOf(unknown)).toContain('501 No address book of that hash is stored');
  });

  it('knows nothing of items that there are not', async () => {
    for (const of of [
      'transactions/0.0.2-1-1',
      'blocks/99999',
      'topics/0.0.9999/messages/1',
      `contracts/results/${'0'.repeat(64)}`,
    ]) {
      expect((await mirror.ask(`${of}/proof`)).status, of).toBe(404);
    }
  });

  it('says so where the files are neither kept nor in a source', async () => {
    const without = await openMirror(path, { addressBook: book, withSource: false });
    try {
      expect(reasonOf(await without.ask('blocks/3/proof'))).toContain('501 The files of block 3 are not here');
    } finally {
      await without.close();
    }
  });

  it('proves the same of what was kept, without a source', async () => {
    const kept = await openMirror(path, { addressBook: book, withSource: false, keepsFiles: true });
    try {
      expect(await checkTransactions(kept, book, { count: proofs / 4, hasNumber })).toBeGreaterThan(proofs / 5);
      for (const block of [0, blocks / 2, blocks - 1]) {
        const of = `blocks/${block}/proof`;
        expect(await askProof(kept, of)).toEqual(await askProof(mirror, of));
      }
    } finally {
      await kept.close();
    }
  });
});

it.each([2, 5, 6] as const)(
  'record files of version %i are proved, of the source and of what was kept',
  async (version) => {
    const path = join(folder, `v${version}`);
    const stream = createSignedStream(path, createTestKeys(5));
    for (let file = 0; file < 6; file++) stream.write({ version, nodes: [0, 1, 3, 4] });
    const book = writeAddressBook(stream.addressBook.nodes);
    for (const options of [{}, { withSource: false, keepsFiles: true }]) {
      const mirror = await openMirror(path, { addressBook: book, ...options });
      try {
        await checkById(mirror, book, { count: 12, nodes: 5, hasNumber: version === 6 });
      } finally {
        await mirror.close();
      }
    }
  },
);

/** Of a ledger whose transactions have no hashes. */
async function checkById(mirror: OpenMirror, book: Buffer, { count, nodes, hasNumber }: Required<Checked>) {
  const rows = await select<Row>(mirror.db, `select ${ofTransactions} order by 2`);
  for (const { id, time, block, nonce, scheduled } of some(rows, count)) {
    const of = `transactions/${id}/proof?nonce=${nonce}&scheduled=${scheduled}`;
    const proven = readProven(await askProof(mirror, of), book, id);
    expect(proven.consensusTimestamp).toBe(time);
    expect(proven).toMatchObject({ block: hasNumber ? block : null, nodes, signers: Math.ceil(nodes / 3) });
  }
  for (const block of new Set(rows.map((row) => row.block))) {
    const document = await askProof(mirror, `blocks/${block}/proof`);
    expect(readProven(document, book).block).toBe(hasNumber ? block : null);
    const accepted = await findAcceptedFlips(document, { addressBookHash: hashOf(book) }, Math.ceil(flips / 10));
    expect(accepted).toEqual([]);
  }
}

const streams = findRealData('streams');
const real = findRealData('');
const wrapped = findRealData('blocks/wrapped-mainnet');

describe.skipIf(streams.isAbsent || wrapped.isAbsent)(`real record files${streams.hint}`, () => {
  it.each([
    ['v2', 'testnet-2019.bin', 4, false],
    ['mainnet-2019-09-13', 'mainnet-2019.bin', 13, false],
    ['v5', 'testnet-2019.bin', 4, false],
    ['v6', 'test-v6-sidecar-4n.bin', 4, true],
    ['mainnet-2025-07-23', 'mainnet-2025-07-23.bin', 31, true],
  ])('%s', async (set, bookName, nodes, hasNumber) => {
    const book = readFileSync(join(real.path, 'books', bookName));
    for (const options of [{}, { withSource: false, keepsFiles: true }]) {
      const mirror = await openMirror(join(streams.path, set), { addressBook: book, ...options });
      try {
        await checkById(mirror, book, { count: 30, nodes, hasNumber });
      } finally {
        await mirror.close();
      }
    }
  });

  it.each([
    ['0000000000000000000', 'mainnet-2019.bin', 13],
    ['0000000000082297471', 'mainnet-2025-07-23.bin', 31],
  ])('in block %s', async (name, bookName, nodes) => {
    const book = readFileSync(join(real.path, 'books', bookName));
    const path = join(folder, name);
    mkdirSync(path);
    cpSync(join(wrapped.path, `${name}.blk.zstd`), join(path, `${name}.blk.zstd`));
    const mirror = await openMirror(path, { addressBook: book });
    try {
      await checkById(mirror, book, { count: 20, nodes, hasNumber: false });
    } finally {
      await mirror.close();
    }
  });
});
