// What the database says of the state before a block, which may lie far back: the same as that of an import that ended
// there.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { splitBlock } from '../../packages/streams/block-stream/block-item.ts';
import { readBlockTransactions } from '../../packages/streams/block-stream/block-transactions.ts';
import { nameOfQuestion, type StateQuestion } from '../../packages/streams/stream/state-question.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { readBlocks, writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { type ImportStreamOptions, importStream } from '../../src/importer/import-stream.ts';
import { selectStateBefore } from '../../src/importer/whole-block/select-state-before.ts';

const blocks = 60;
/** Numbers of blocks before which the state is asked for. */
const moments = [3, 9, 20, 33, 44];
let folder: string;
let addressBook: Buffer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'state-before-'));
  const start = 1_750_000_000_000_000_000n;
  ({ addressBook } = await writeNetwork({
    folder,
    seed: 'other',
    format: 'blocks',
    stateForm: 'always',
    blocks,
    transactions: 20,
    signEvery: 8,
    start,
  }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Imported = { scratch: ScratchDatabase; db: Database; problems: string[] };

/** All blocks, or those before this one. */
function importUntil(block: number | null): Promise<Imported> {
  return importPart(block === null ? {} : { until: { kind: 'block', number: BigInt(block - 1) } });
}

async function importPart(part: Pick<ImportStreamOptions, 'start' | 'until'>): Promise<Imported> {
  const scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  const db = openDatabase({ connectionString });
  const writer = await createBlockWriter({ connectionString });
  const problems: string[] = [];
  const onDoubt: ImportStreamOptions['onDoubt'] = ({ text }) => void problems.push(text);
  const onDefect: ImportStreamOptions['onDefect'] = ({ problem }) => void problems.push(problem);
  const source = createFolderSource({ path: folder });
  await importStream({ source, db, writer, addressBook, live: false, onDoubt, onDefect, ...part });
  await writer.close();
  return { scratch, db, problems };
}

async function rows<Row>(db: Database, text: string): Promise<Row[]> {
  return db.query<Row>({ name: '', text });
}

/** Everything that the later database has. */
async function listQuestions(db: Database): Promise<StateQuestion[]> {
  const tokens = await rows<{ id: bigint }>(db, 'select token_id as id from token');
  const entities = await rows<{ id: bigint }>(db, 'select id from entity');
  const slots = await rows<{ id: bigint; slot: Buffer }>(db, 'select contract_id as id, slot from contract_state');
  const hooks = await rows<{ owner: bigint; hook: bigint; key: Buffer }>(
    db,
    'select owner_id as owner, hook_id as hook, key from hook_storage',
  );
  const airdrops = await rows<{ sender: bigint; receiver: bigint; token: bigint; serial: bigint }>(
    db,
    `select sender_account_id as sender, receiver_account_id as receiver, token_id as token, serial_number as serial
     from token_airdrop where serial_number = 0`,
  );
  return [
    ...tokens.map(({ id }) => ({ kind: 'totalSupply', tokenId: id }) as const),
    ...tokens.map(({ id }) => ({ kind: 'lastSerial', tokenId: id }) as const),
    ...entities.map(({ id }) => ({ kind: 'alias', accountId: id }) as const),
    ...slots.map(({ id, slot }) => ({ kind: 'slot', place: { contractId: id }, key: withoutZeros(slot) }) as const),
    ...hooks.map(
      ({ owner, hook, key }) =>
        ({ kind: 'slot', place: { ownerId: owner, hookId: hook }, key: withoutZeros(key) }) as const,
    ),
    ...airdrops.map(
      ({ sender, receiver, token, serial }) =>
        ({ kind: 'airdrop', senderId: sender, receiverId: receiver, tokenId: token, serialNumber: serial }) as const,
    ),
  ];
}

function withoutZeros(word: Buffer): Buffer {
  const first = word.findIndex((byte) => byte !== 0);
  return first < 0 ? Buffer.alloc(0) : word.subarray(first);
}

test('a database that goes on knows the state before each block as one that ended there', async () => {
  const whole = await importUntil(null);
  const questions = await listQuestions(whole.db);
  const kinds = new Set(questions.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['airdrop', 'alias', 'lastSerial', 'slot', 'totalSupply']);
  for (const block of moments) {
    const [{ at }] = (await rows<{ at: bigint }>(
      whole.db,
      `select consensus_start as at from record_file where index = ${block}`,
    )) as [{ at: bigint }];
    const ended = await importUntil(block);
    const [stored] = await rows<{ last: bigint }>(ended.db, 'select max(index) as last from record_file');
    expect(stored).toEqual({ last: BigInt(block - 1) });
    const [expected, found] = await Promise.all([ended.db, whole.db].map((db) => selectStateBefore(db, questions, at)));
    let known = 0;
    for (const question of questions) {
      const name = nameOfQuestion(question);
      const [wanted = null, answer = null] = [expected!.get(name), found!.get(name)];
      if (wanted === null) continue;
      known += 1;
      expect({ block, name, answer }).toEqual({ block, name, answer: wanted });
    }
    expect(known).toBeGreaterThan(20);
    await ended.db.close();
    await ended.scratch.close();
  }
  await whole.db.close();
  await whole.scratch.close();
}, 120_000);

test('from the middle, what no block says is unknown and said: nothing is stored that is not so', async () => {
  const whole = await importUntil(null);
  const files = readBlocks(join(folder, 'blocks'));
  const asking = files.findIndex((file) => readBlockTransactions(splitBlock(file)).questions.length > 0);
  expect(asking).toBeGreaterThan(5);
  const part = await importPart({ start: { kind: 'block', number: BigInt(asking) } });
  const slotRows =
    'select contract_id, encode(slot, $$hex$$) as slot, encode(value, $$hex$$) as value from contract_state';
  const tokenRows = 'select token_id, total_supply from token where total_supply is not null';
  for (const [text, least] of [
    [slotRows, 5],
    [tokenRows, 3],
  ] as const) {
    const [all, some] = await Promise.all([whole, part].map(({ db }) => rows<object>(db, text)));
    const known = new Set(all!.map(toText));
    expect(some!.filter((row) => !known.has(toText(row)))).toEqual([]);
    expect(some!.length).toBeGreaterThanOrEqual(least);
  }
  expect(whole.problems).toEqual([]);
  expect(part.problems.filter((problem) => problem.startsWith('not known'))).not.toEqual([]);
  for (const { db, scratch } of [whole, part]) {
    await db.close();
    await scratch.close();
  }
});

function toText(row: object): string {
  return JSON.stringify(row, (_name, value) => (typeof value === 'bigint' ? `${value}` : value));
}
