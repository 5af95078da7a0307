// Blocks of real networks, asked for over HTTP: the opening state of the ledger, and what a block stream of shard 11,
// realm 12 did.
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { afterEach, expect, test } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { createFolderSource } from '../../packages/sources/folder-source.ts';
import { createBlockWriter } from '../../packages/store/write/block-writer.ts';
import { type Answers, type JsonObject, openAnswers } from '../../packages/test-support/http/answers.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { importStream } from '../../src/importer/import-stream.ts';
import { learnNetwork } from '../../src/runtime/database/learn-network.ts';

const data = findRealData('blocks');
let end: () => Promise<void>;
afterEach(() => end());

/** `isSnapshotDue`: with the first block. */
async function answersAfterImport(path: string, book: string | null, isSnapshotDue = false): Promise<Answers> {
  const database = await createScratchDatabase();
  const { connectionString } = database;
  const db = openDatabase({ connectionString });
  const network = learnNetwork({
    db,
    known: { name: 'other', chainId: 0x128n, system: null },
    said: { system: null, name: null, chainId: null },
    log: pino({ level: 'silent' }),
  });
  const answers = openAnswers(db, { system: network.system });
  end = async () => {
    await answers.close();
    await db.close();
    await database.close();
  };
  const writer = await createBlockWriter({ connectionString });
  const addressBook = book === null ? null : readFileSync(findRealData(`books/${book}`).path);
  try {
    if (isSnapshotDue) await db.query({ name: 'test-snapshot', text: earlierSnapshot });
    await importStream({ source: createFolderSource({ path }), db, writer, addressBook, live: false });
  } finally {
    await writer.close();
  }
  await network.look();
  return answers;
}

const earlierSnapshot = `insert into account_balance_file (consensus_timestamp, count, name) values (1, 0, '')`;

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
    const answers = await answersAfterImport(`${data.path}/consensus-node-0.78`, null, true);
    for (const topic of [1202, 1203, 1204, 1205, 1206]) {
      const { status, body } = await answers.get('hiero', `/api/v1/topics/11.12.${topic}`);
      expect([status, body.topic_id]).toEqual([200, `11.12.${topic}`]);
    }
    const nodes = await listed(answers, '/api/v1/network/nodes', 'nodes');
    expect(nodes.map(({ node_id }) => node_id)).toEqual([0n, 1n, 2n, 3n]);
    for (const dialect of ['hiero', 'spec'] as const) {
      const get = async (url: string) => {
        const { status, body } = await answers.get(dialect, `/api/v1/${url}`);
        expect([url, status]).toEqual([url, 200]);
        return body;
      };
      expect((await get('network/stake')).stake_total).toBe(0n);
      // What the treasury and the unreleased accounts do not hold.
      expect((await get('network/supply')).released_supply).toBe('500000000000');
      expect(await get('network/fees')).toMatchObject({
        fees: [{ gas: 71n, transaction_type: 'ContractCall' }, {}, {}],
      });
      expect((await get('network/exchangerate')).current_rate).toMatchObject({ cent_equivalent: 12n });
      expect((await get('network/nodes')).nodes).toMatchObject(Array(4).fill({ file_id: '11.12.102' }));
      expect((await get('network/nodes?file.id=101')).nodes).toMatchObject(Array(4).fill({ file_id: '11.12.101' }));
      const hbar = { balance: 4_999_999_500_000_000_000n };
      expect(await get('accounts/2')).toMatchObject({ account: '11.12.2', balance: hbar });
      expect(await get('accounts/800/rewards')).toEqual({ rewards: [], links: { next: null } });
      // The snapshot that was due with the first block.
      const { balances } = await get('balances?account.id=2&timestamp=lte:1786398599');
      expect(balances).toMatchObject([{ account: '11.12.2', balance: 5_000_000_000_000_000_000n }]);
    }
  },
  60_000,
);
