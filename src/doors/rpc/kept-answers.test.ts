// Kept results give the same answers as the database, whatever the request looks like, while blocks come in.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockState } from '../../../packages/store/notify/block-watch.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { blockTimes, logRow } from '../../../packages/test-support/rpc/chain-rows.ts';
import { serveRpc } from '../../../packages/test-support/rpc/serve-rpc.ts';
import { address, smallChain } from '../../../packages/test-support/rpc/small-chain.ts';

let stored: StoredRows;
let asked: Awaited<ReturnType<typeof serveRpc>>;
let keeping: Awaited<ReturnType<typeof serveRpc>>;
const blocks: BlockState = { turn: 1, epoch: 1, newestEnd: 1n, confirmedMs: Number.POSITIVE_INFINITY };

beforeAll(async () => {
  stored = await storeRows([
    ...smallChain,
    logRow(blockTimes(10n).start + 1_000_000n, 7, { data: Buffer.alloc(20_000, 7) }),
  ]);
  const users = [{ username: 'me', password: 'secret' }];
  asked = await serveRpc(stored.db, { users });
  keeping = await serveRpc(stored.db, { users, cache: { maxBytes: 2 ** 22, blocks, clockReadings: () => 0 } });
});
afterAll(async () => {
  await asked?.close();
  await keeping?.close();
  await stored?.close();
});

async function send(to: typeof asked, body: string | Buffer, headers: Record<string, string>) {
  const answer = await fetch(`${to.url}/rpc`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const { date: _, connection: __, 'content-encoding': encoding, ...rest } = Object.fromEntries(answer.headers);
  // Of a client that takes both, a kept answer is gzip.
  return {
    status: answer.status,
    headers: { ...rest, isCompressed: encoding !== undefined },
    text: await answer.text(),
  };
}

/** The state that all answers are of changes. */
async function commit(): Promise<void> {
  await stored.db.query({ name: 'grow', text: 'update entity set balance = balance + 1 where id = 1001', values: [] });
  blocks.turn += 1;
}

const questions: readonly (readonly [string, ...unknown[]])[] = [
  ['eth_blockNumber'],
  ['eth_getBalance', address('a'), 'latest'],
  ['eth_getBalance', address('a'), { id: 5 }],
  ['eth_getBalance', address('a')],
  ['eth_getCode', address('c'), 'latest'],
  ['eth_getBlockByNumber', '0xa', true],
  ['eth_getBlockByNumber', '0xffff', false],
  ['eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' }],
  ['eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: [], id: 1 }],
  ['eth_chainId'],
  ['eth_nothing'],
];

const ids = fc.oneof(
  fc.integer().map(String),
  fc.constantFrom(
    'null',
    '1.0',
    '-0',
    '01',
    '1e0',
    '1e400',
    '123456789012345678901',
    '1.5',
    '""',
    '"a-b_7"',
    '"\\u0041"',
  ),
  fc.constantFrom('"é"', '"a\\"b"', `"${'x'.repeat(64)}"`, `"${'x'.repeat(65)}"`, '{}', '[1]', 'true', '"id":3', '?'),
);
/** The members in an order, some of them twice, and what stands between. */
const spellings = fc.record({
  question: fc.constantFrom(...questions),
  id: ids,
  order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 4 }),
  space: fc.constantFrom('', '', ' ', '\n'),
  begin: fc.constantFrom('', '', ' ', '['),
});
type Spelled = typeof spellings extends fc.Arbitrary<infer T> ? T : never;

function spell({ question: [method, ...params], id, order, space, begin }: Spelled): string {
  const members = [
    `"jsonrpc":${space}"2.0"`,
    `"id":${space}${id}`,
    `"method":${space}${JSON.stringify(method)}`,
    `"params":${space}${JSON.stringify(params)}`,
    '"\\"id":1',
    '"id":7',
  ];
  return `${begin}{${order.map((place) => members[place]).join(`,${space}`)}}${begin === '[' ? ']' : ''}`;
}

const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ body: spellings.map(spell), times: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 1, arbitrary: fc.constant('commit' as const) },
  ),
  { minLength: 10, maxLength: 30 },
);
const encodings = ['identity', 'gzip', 'br', 'gzip, deflate, br', 'gzip;q=0.5, br'];

it('are the same bytes as without, in whatever form they are asked for, while blocks come in', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      for (const [place, step] of all.entries()) {
        if (step === 'commit') {
          await commit();
          continue;
        }
        for (let time = 0; time < step.times; time++) {
          const headers = { 'accept-encoding': encodings[(place + time) % encodings.length]! };
          const [kept, expected] = await Promise.all([
            send(keeping, step.body, headers),
            send(asked, step.body, headers),
          ]);
          expect([step.body, kept]).toEqual([step.body, expected]);
        }
      }
    }),
    { numRuns: 15 },
  );
});

describe('a kept answer', () => {
  const balance = (id: unknown) =>
    JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_getBalance', params: [address('a'), 'latest'] });
  const hits = async (): Promise<number> => {
    const text = await keeping.registry.metrics();
    return Number(/answer_cache_requests_total\{outcome="hit"\} (\d+)/.exec(text)![1]);
  };

  it('is found by each id, is counted, and is gone with the next block', async () => {
    const balanceOf = async (id: number) => JSON.parse((await send(keeping, balance(id), {})).text);
    await commit();
    const { result } = await balanceOf(1);
    const before = await hits();
    const counted = /rpc_requests_total\{method="eth_getBalance",code="0"\} (\d+)/;
    const countedBefore = Number(counted.exec(await keeping.registry.metrics())![1]);
    expect(await Promise.all([2, 3, 4].map(balanceOf))).toEqual(
      [2, 3, 4].map((id) => ({ jsonrpc: '2.0', id, result })),
    );
    expect(await hits()).toBe(before + 3);
    expect(Number(counted.exec(await keeping.registry.metrics())![1])).toBe(countedBefore + 3);
    await commit();
    expect(BigInt((await balanceOf(5)).result)).toBe(BigInt(result) + 10_000_000_000n);
  });

  it('is for nobody with wrong credentials', async () => {
    await send(keeping, balance(1), {});
    const as = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });
    expect((await send(keeping, balance(1), as('me:wrong'))).status).toBe(401);
    expect((await send(keeping, balance(1), as('me:secret'))).status).toBe(200);
  });

  it('is not found by bytes that are no request', async () => {
    const good = Buffer.from(balance(1));
    await send(keeping, good, {});
    for (const end of ['\0', '}', ' x']) {
      const bad = await send(keeping, Buffer.concat([good, Buffer.from(end)]), {});
      expect([end, bad.status]).toEqual([end, 400]);
    }
  });
});
