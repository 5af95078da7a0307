// What is counted of tokens of the token service is what their rows say, in whatever steps, and after blocks are
// imported again; lists show it in their orders.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { openServer } from '../../packages/test-support/http/open-server.ts';
import { columnOf } from '../../packages/test-support/http/read-page.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import type { ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { countTokens } from '../../src/contracts/token-index/count-tokens.ts';

let scratch: ScratchDatabase;
let db: Database;
let app: ReturnType<typeof openServer>;

beforeAll(async () => {
  scratch = await (await openImported({ seed: 'token totals', blocks: 40, transactionsPerBlock: 12 })).openDatabase();
  db = openDatabase(scratch);
  await countAll(5_000);
  app = openServer(db, 'spec');
});
afterAll(async () => {
  await app?.close();
  await db?.close();
  await scratch?.close();
});

async function countAll(atOnce: number): Promise<void> {
  while (await countTokens(db, atOnce));
}

function select<Row>(text: string): Promise<Row[]> {
  return db.query<Row>({ name: 'of-the-test', reads: true, shape: text, text });
}

type Total = { tokenId: bigint; transfers: bigint; lastTimestamp: bigint; holders: bigint };

const totals = () => select<Total>('select token_id, transfers, last_timestamp, holders from token_total order by 1');

/** Read row by row. */
async function expected(): Promise<Total[]> {
  const moves = new Map<bigint, Set<bigint>>();
  const add = (token: bigint, at: bigint) => moves.set(token, (moves.get(token) ?? new Set()).add(at));
  type Move = { tokenId: bigint; at: bigint };
  for (const { tokenId, at } of await select<Move>('select token_id, consensus_timestamp as at from token_transfer'))
    add(tokenId, at);
  type Moved = { nfts: string; at: bigint };
  const text =
    'select nft_transfer::text as nfts, consensus_timestamp as at from transaction where nft_transfer is not null';
  for (const { nfts, at } of await select<Moved>(text))
    for (const { token_id } of JSON.parse(nfts)) add(BigInt(token_id), at);
  const held = await select<{ tokenId: bigint; balance: bigint }>('select token_id, balance from token_account');
  return [...moves]
    .map(([tokenId, times]) => ({
      tokenId,
      transfers: BigInt(times.size),
      lastTimestamp: [...times].reduce((last, at) => (at > last ? at : last)),
      holders: BigInt(held.filter((one) => one.tokenId === tokenId && one.balance > 0n).length),
    }))
    .sort((a, b) => Number(a.tokenId - b.tokenId));
}

it('is what the rows say', async () => {
  const counted = await totals();
  expect(counted).toEqual(await expected());
  expect(counted.length).toBeGreaterThan(5);
  const ofKinds = 'select distinct type from token_total join token using (token_id)';
  expect(await select(ofKinds)).toHaveLength(2);
  expect(new Set(counted.map(({ holders }) => holders)).size).toBeGreaterThan(1);
});

it('ends alike in any steps, and where two processes count at once', async () => {
  const before = await totals();
  for (const run of [() => countAll(7), () => Promise.all([countAll(11), countAll(5)])]) {
    await db.query({ name: 'forget-totals', text: 'truncate token_total, token_total_progress' });
    await run();
    expect(await totals()).toEqual(before);
  }
});

it('counts no holders while transactions are still to be summed up', async () => {
  const before = await totals();
  await db.query({ name: 'forget-totals', text: 'truncate token_total, token_total_progress' });
  const counted = 'select count(*) from token_total where holders is not null';
  while ((await select<{ count: bigint }>(counted))[0]!.count === 0n) expect(await countTokens(db, 7)).toBe(true);
  const summed = (await totals()).map(({ holders: _, ...sums }) => sums);
  expect(summed).toEqual(before.map(({ holders: _, ...sums }) => sums));
  await countAll(7);
  expect(await totals()).toEqual(before);
});

it('is counted again where its tokens moved since, and those of many accounts seldom', async () => {
  const [first] = await totals();
  const change = (text: string) => db.query({ name: 'change-total', shape: text, text });
  const set = (relations: bigint) =>
    change(`update token_total set holders = 77, relations = ${relations}, counted_timestamp = last_timestamp - 1
where token_id = ${first!.tokenId}`);
  const holders = async () => (await totals())[0]!.holders;
  await set(10n ** 9n);
  await countAll(5_000);
  expect(await holders()).toBe(77n);
  await set(0n);
  await countAll(5_000);
  expect(await holders()).toBe(first!.holders);
});

const get = async (path: string) => {
  const { statusCode, body } = await app.inject(path);
  expect([path, statusCode]).toEqual([path, 200]);
  return body;
};
const tokensOf = (body: string): bigint[] =>
  columnOf(body, 'Id').map((cell) => BigInt(/\/token\/0\.0\.(\d+)"/.exec(cell)![1]!));

/** Page by page. */
async function listed(order: string): Promise<bigint[]> {
  const found: bigint[] = [];
  for (let path: string | undefined = `/demo/tokens/by-${order}?limit=4`; path; ) {
    const body: string = await get(path);
    found.push(...tokensOf(body));
    path = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll('&#38;', '&');
  }
  return found;
}

it.each(['transfers', 'holders'] as const)('lists come in the order of %s', async (by) => {
  const counted = await totals();
  const order = counted.toSorted((a, b) => Number(b[by] - a[by]) || Number(b.tokenId - a.tokenId));
  expect(await listed(by)).toEqual(order.map(({ tokenId }) => tokenId));
});

it('a token that this part of the ledger has not is listed by its id', async () => {
  const insert = 'insert into token_total values (9999999, 1000000, 5, 1000000, 5, 5)';
  await db.query({ name: 'insert-total', text: insert });
  for (const by of ['transfers', 'holders']) {
    expect((await listed(by))[0]).toBe(9_999_999n);
    expect((await get(`/demo/tokens/by-${by}.csv`)).split('\r\n')[1]).toBe('0.0.9999999,,,,,,1000000,1000000');
  }
  await db.query({ name: 'delete-total', text: 'delete from token_total where token_id = 9999999' });
});

it('and of names, all of them', async () => {
  const byName = await select<{ tokenId: bigint }>(
    'select token_id from token order by left(lower(name), 100), token_id',
  );
  expect(await listed('name')).toEqual(byName.map(({ tokenId }) => tokenId));
});

it('the list of the newest and its file have the counts', async () => {
  const [head, ...lines] = (await get('/demo/tokens.csv')).trim().split('\r\n');
  expect(head).toBe('token_id,name,symbol,type,decimals,total_supply,holders,transfers');
  const counts = new Map((await totals()).map(({ tokenId, ...total }) => [`0.0.${tokenId}`, total]));
  expect(lines.length).toBeGreaterThan(counts.size - 1);
  for (const line of lines) {
    const [id] = line.split(',');
    const of = counts.get(id!);
    expect(line.endsWith(of ? `,${of.holders},${of.transfers}` : ',,')).toBe(true);
  }
  expect(await get('/demo/tokens')).toContain('href="/demo/tokens/by-holders"');
});

it.each([
  '/demo/tokens/by-holders?after=5',
  '/demo/tokens/by-holders?after=x-5',
  '/demo/tokens/by-name?after=3-5',
  '/demo/tokens/by-name?limit=0',
  '/demo/tokens/by-transfers?by=id',
])('%s is refused', async (path) => expect((await app.inject(path)).statusCode).toBe(400));
