// Small mirrors beside one that holds everything, over random ledgers: of state all of them answer the same; of what is
// included every list is whole; what is left out is in no list.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transactionTypeName } from '../../packages/protocol/hapi/transaction-types.ts';
import { dayTables } from '../../packages/schema/day-tables.ts';
import { momentTables } from '../../packages/store/retention/kept-rows.ts';
import { type DatabaseDump, dumpDatabase } from '../../packages/test-support/postgres/dump-database.ts';
import { type SimulatedStream, writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import { parseFilterTerms, type StreamFilter } from '../../src/importer/extent/stream-filter.ts';
import { openMirror, type TestMirror } from '../support/program/open-mirror.ts';

let stream: SimulatedStream;
let full: TestMirror;
let state: DatabaseDump;
let words: { accounts: string[]; contracts: string[]; tokens: string[]; topics: string[]; types: string[] };

beforeAll(async () => {
  stream = await writeSimulatedStream({ seed: 'small mirror', blocks: 30, transactionsPerBlock: 8 });
  full = await mirrorOf();
  state = await stateOf(full.connectionString);
  const names = async (text: string): Promise<string[]> =>
    (await full.db.query<{ name: string }>({ name: text, text })).map(({ name }) => name);
  const entities = (type: string) =>
    names(`select '0.0.' || num as name from entity where type = '${type}' and num > 1000 order by id`);
  words = {
    accounts: await entities('ACCOUNT'),
    contracts: await entities('CONTRACT'),
    tokens: await entities('TOKEN'),
    topics: await entities('TOPIC'),
    types: (await names(`select distinct type::text as name from transaction order by 1`)).map((type) =>
      transactionTypeName(Number(type)),
    ),
  };
});
afterAll(async () => {
  await full?.close();
  stream?.close();
});

const mirrorOf = (filter?: StreamFilter): Promise<TestMirror> =>
  openMirror((connectionString) => stream.importInto(connectionString, { filter }));

/** Every table but those of transactions, and what is counted of them by day; blocks are among them. */
async function stateOf(connectionString: string): Promise<DatabaseDump> {
  const dump = await dumpDatabase(connectionString);
  for (const name of Object.keys(dayTables)) dump.delete(name);
  for (const [name, column] of momentTables) if (column === 'consensus_timestamp') dump.delete(name);
  return dump;
}

test('state is that of all transactions, and of what is included every answer is whole', async () => {
  const all = Object.values(words).flat();
  await fc.assert(
    fc.asyncProperty(fc.subarray(all, { minLength: 1, maxLength: 4 }), async (included) => {
      const small = await mirrorOf({ included: parseFilterTerms(included.join(','))!, excluded: null });
      try {
        expect(await stateOf(small.connectionString)).toEqual(state);
        for (const url of included.flatMap(listsOf)) {
          const [expected, found] = [await full.answers.get('hiero', url), await small.answers.get('hiero', url)];
          expect({ url, text: found.text }).toEqual({ url, text: expected.text });
        }
      } finally {
        await small.close();
      }
    }),
    // Any seed has to hold; one keeps the suite the same for everyone.
    { numRuns: Number(process.env.FILTER_RUNS ?? 4), seed: Number(process.env.FILTER_SEED ?? 1) },
  );
});

test('transactions of what is excluded are in no list, and all others are', async () => {
  const [token] = words.tokens;
  const excluded = parseFilterTerms(`${token},CONTRACTCALL`)!;
  const small = await mirrorOf({ included: null, excluded });
  try {
    expect(await stateOf(small.connectionString)).toEqual(state);
    const count = (name: string, text: string) => ({ name, text: `select count(*) as count from ${text}` });
    const ofToken = count('of-token', `token_transfer where token_id = ${token!.slice(4)}`);
    expect(await small.db.query(ofToken)).toEqual([{ count: 0n }]);
    expect(await full.db.query(ofToken)).not.toEqual([{ count: 0n }]);
    expect(await small.db.query(count('calls', 'transaction where type = 7'))).toEqual([{ count: 0n }]);
    const others = count(
      'others',
      'transaction where type not in (7, 29, 36, 37, 40) and parent_consensus_timestamp is null',
    );
    const [kept] = await small.db.query<{ count: bigint }>(others);
    expect(kept!.count).toBeGreaterThan(50n);
  } finally {
    await small.close();
  }
});

/** Where the things of this name are listed. */
function listsOf(name: string): string[] {
  const api = '/api/v1';
  const whole = 'limit=100';
  if (words.accounts.includes(name)) {
    return [
      `${api}/accounts/${name}?${whole}`,
      `${api}/transactions?account.id=${name}&${whole}`,
      `${api}/accounts/${name}/rewards?${whole}`,
      `${api}/contracts/results?from=${name}&${whole}`,
    ];
  }
  if (words.contracts.includes(name)) {
    return [
      `${api}/contracts/${name}/results?${whole}`,
      `${api}/contracts/${name}/results/logs?${whole}`,
      `${api}/contracts/${name}/state?${whole}`,
      `${api}/transactions?account.id=${name}&${whole}`,
    ];
  }
  if (words.tokens.includes(name)) {
    return [
      `${api}/tokens/${name}`,
      `${api}/tokens/${name}/balances`,
      ...[1, 2, 3].map((serial) => `${api}/tokens/${name}/nfts/${serial}/transactions?${whole}`),
    ];
  }
  if (words.topics.includes(name)) return [`${api}/topics/${name}`, `${api}/topics/${name}/messages?${whole}`];
  return [`${api}/transactions?transactiontype=${name}&${whole}`];
}
