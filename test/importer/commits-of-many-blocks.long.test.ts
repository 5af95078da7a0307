// How many blocks a commit has is not to be seen in the tables: the same stream, with transactions of every kind, ends
// in the same rows whether each block is a commit or many are.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';

let stream: SimulatedStream;
let expected: Record<string, string>;

beforeAll(async () => {
  // 20 s apart: with snapshots of balances and changes of the staking period on the way.
  stream = await writeSimulatedStream({ seed: 'commits', blocks: 80, transactionsPerBlock: 12 });
  const alone = await importWith(0);
  expect(alone.commits).toBe(80);
  expected = alone.rows;
});

afterAll(() => stream.close());

test.each([
  { commitTransactions: 30, maxCommits: 60 },
  { commitTransactions: 5000, maxCommits: 30 },
])('commits of up to $commitTransactions transactions', async ({ commitTransactions, maxCommits }) => {
  const { rows, commits } = await importWith(commitTransactions);
  expect(rows).toEqual(expected);
  expect(commits).toBeLessThanOrEqual(maxCommits);
});

async function importWith(commitTransactions: number): Promise<{ rows: Record<string, string>; commits: number }> {
  const database = await createScratchDatabase();
  const db = openDatabase(database);
  const numbers: bigint[] = [];
  try {
    await stream.importInto(database.connectionString, {
      commitTransactions,
      onProgress: ({ block }) => numbers.push(block.number),
    });
    expect(numbers).toEqual(Array.from({ length: 80 }, (_, index) => BigInt(index)));
    const text = 'select count(distinct xmin::text) as commits from record_file';
    const [counted] = await db.query<{ commits: bigint }>({ name: 'commits', text });
    const rows = summarizeDump(await dumpDatabase(database.connectionString));
    return { rows, commits: Number(counted!.commits) };
  } finally {
    await db.close();
    await database.close();
  }
}
