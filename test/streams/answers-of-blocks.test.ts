// Blocks of real networks, asked for over HTTP: the opening state of the ledger, and what a block stream of shard 11, realm 12 did.
import { readFileSync } from 'node:fs';
import { afterEach, expect, test } from 'vitest';
import { importStream } from '../../src/importer/import-stream.ts';
import { createFolderSource } from '../../src/source/folder-source.ts';
import { openDatabase } from '../../src/store/wire/database.ts';
import { createBlockWriter } from '../../src/store/write/block-writer.ts';
import { type Answers, type JsonObject, openAnswers } from '../support/answers.ts';
import { findRealData } from '../support/real-data.ts';
import { createScratchDatabase } from '../support/scratch-database.ts';

const data = findRealData('blocks');
let end: () => Promise<void>;
afterEach(() => end());

async function answersAfterImport(path: string, book: string | null, settings = {}): Promise<Answers> {
  const database = await createScratchDatabase();
  const { connectionString } = database;
  const db = openDatabase({ connectionString });
  const answers = openAnswers(db, settings);
  end = async () => {
    await answers.close();
    await db.close();
    await database.close();
  };
  const writer = await createBlockWriter({ connectionString });
  const addressBook = book === null ? null : readFileSync(findRealData(`books/${book}`).path);
  try {
    await importStream({ source: createFolderSource({ path }), db, writer, addressBook, live: false });
  } finally {
    await writer.close();
  }
  return answers;
}

async function listed(answers: Answers, first: string, member: string): Promise<JsonObject[]> {
  const rows: JsonObject[] = [];
  for (let url: string | null = first; url !== null; ) {
    const { status, body } = await answers.get('hiero', url);
    expect(status).toBe(200);
    rows.push(...(body[member] as JsonObject[]));
    url = (body.links as JsonObject).next as string | null;
  }
  return rows;
}

test.skipIf(data.isAbsent)(
  `the accounts of a genesis block hold the whole supply${data.hint}`,
  async () => {
    const answers = await answersAfterImport(`${data.path}/wrapped-mainnet-genesis`, 'mainnet-2019.bin');
    const accounts = await listed(answers, '/api/v1/accounts?limit=100', 'accounts');
    const balances = accounts.map(({ balance }) => (balance as { balance: bigint }).balance);
    expect(new Set(accounts.map(({ account }) => account)).size).toBe(15_368);
    expect(balances.reduce((sum, balance) => sum + balance, 0n)).toBe(5_000_000_000_000_000_000n);
    const last = accounts.at(-1)!;
    const { status, body } = await answers.get('hiero', `/api/v1/accounts/${last.account}`);
    expect([status, body.account, body.balance]).toEqual([200, last.account, last.balance]);
  },
  180_000,
);

test.skipIf(data.isAbsent)(
  `topics, nodes and stakes of a block stream answer${data.hint}`,
  async () => {
    const answers = await answersAfterImport(`${data.path}/consensus-node-0.78`, null, { shard: 11n, realm: 12n });
    for (const topic of [1202, 1203, 1204, 1205, 1206]) {
      const { status, body } = await answers.get('hiero', `/api/v1/topics/11.12.${topic}`);
      expect([status, body.topic_id]).toEqual([200, `11.12.${topic}`]);
    }
    const nodes = await listed(answers, '/api/v1/network/nodes', 'nodes');
    expect(nodes.map(({ node_id }) => node_id)).toEqual([0n, 1n, 2n, 3n]);
    expect((await answers.get('hiero', '/api/v1/network/stake')).status).toBe(200);
  },
  60_000,
);
