// The lists under accounts/{id} that the mirror node answers from Java: airdrops, and allowances of NFTs.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answers, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';

const dialects = ['spec', 'hiero'] as const;
let stored: StoredRows;
let answers: Answers;
beforeAll(async () => {
  const airdrop = { sender_account_id: 1001n, state: 'PENDING', timestamp_range: '[5,)' };
  const airdrops = [2001n, 2002n].flatMap((receiver_account_id) => [
    { ...airdrop, receiver_account_id, token_id: 1500n, serial_number: 0n, amount: 7n },
    { ...airdrop, receiver_account_id, token_id: 1501n, serial_number: 1n, amount: null },
    { ...airdrop, receiver_account_id, token_id: 1501n, serial_number: 2n, amount: null },
    { ...airdrop, receiver_account_id, token_id: 1502n, serial_number: 1n, amount: null, state: 'CLAIMED' },
  ]);
  const allowances = [2001n, 2002n].flatMap((spender) =>
    [1501n, 1502n, 1503n].map((token_id) => ({
      owner: 1001n,
      spender,
      token_id,
      approved_for_all: token_id !== 1503n,
      payer_account_id: 1001n,
      timestamp_range: '[5,)',
    })),
  );
  stored = await storeRows([
    ...airdrops.map((row) => ({ table: 'token_airdrop', row })),
    ...allowances.map((row) => ({ table: 'nft_allowance', row })),
  ]);
  answers = openAnswers(stored.db);
});
afterAll(async () => {
  await answers?.close();
  await stored?.close();
});

type Item = Record<string, unknown>;
const toText = (item: Item) =>
  [item.spender ?? item.receiver_id, item.token_id, item.serial_number].filter((part) => part != null).join(' ');

async function walk(dialect: (typeof dialects)[number], url: string, member: string): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | null = url; next !== null; ) {
    const { body, status, text } = await answers.get(dialect, next);
    expect([next, status, text]).toEqual([next, 200, text]);
    seen.push(...(body[member] as Item[]).map(toText));
    next = (body.links as { next: string | null }).next;
    expect(seen.length).toBeLessThan(20);
  }
  return seen;
}

const airdropsInOrder = ['0.0.2001', '0.0.2002'].flatMap((id) => [
  `${id} 0.0.1500`,
  `${id} 0.0.1501 1`,
  `${id} 0.0.1501 2`,
]);
const allowancesInOrder = ['0.0.2001', '0.0.2002'].flatMap((id) => [`${id} 0.0.1501`, `${id} 0.0.1502`]);

describe.each(dialects)('pages in the dialect %s', (dialect) => {
  it.each([1, 2, 3])('of %d lead through everything once, in both directions', async (limit) => {
    for (const order of ['asc', 'desc']) {
      const sorted = (all: string[]) => (order === 'asc' ? all : all.toReversed());
      const query = `limit=${limit}&order=${order}`;
      const outstanding = `/api/v1/accounts/0.0.1001/airdrops/outstanding?${query}`;
      expect(await walk(dialect, outstanding, 'airdrops')).toEqual(sorted(airdropsInOrder));
      const pending = `/api/v1/accounts/0.0.2001/airdrops/pending?${query}`;
      expect(await walk(dialect, pending, 'airdrops')).toEqual(sorted(airdropsInOrder.slice(0, 3)));
      const ofOwner = `/api/v1/accounts/0.0.1001/allowances/nfts?${query}`;
      expect(await walk(dialect, ofOwner, 'allowances')).toEqual(sorted(allowancesInOrder));
      const ofSpender = `/api/v1/accounts/0.0.2002/allowances/nfts?owner=false&${query}`;
      expect(await walk(dialect, ofSpender, 'allowances')).toEqual(sorted(allowancesInOrder.slice(2)));
    }
  });
});

it.each<[url: string, next: string | null]>([
  ['airdrops/outstanding?limit=1', 'airdrops/outstanding?limit=1&receiver.id=gte:0.0.2001&token.id=gt:0.0.1500'],
  [
    'airdrops/outstanding?limit=2',
    'airdrops/outstanding?limit=2&receiver.id=gte:0.0.2001&token.id=gte:0.0.1501&serialnumber=gt:1',
  ],
  ['allowances/nfts?limit=1', 'allowances/nfts?limit=1&account.id=gte:0.0.2001&token.id=gt:0.0.1501'],
  [
    'allowances/nfts?account.id=0.0.2001&limit=1&order=asc',
    'allowances/nfts?account.id=0.0.2001&limit=1&order=asc&token.id=gt:0.0.1501',
  ],
  // An exact token is no bound.
  [
    'allowances/nfts?account.id=gte:0.0.2001&token.id=0.0.1502&limit=1',
    'allowances/nfts?token.id=0.0.1502&limit=1&account.id=gt:0.0.2001',
  ],
  // What would follow is refused as a range that leaves nothing.
  ['allowances/nfts?account.id=0.0.2001&token.id=lte:0.0.1502&limit=2', null],
  ['allowances/nfts?account.id=lte:0.0.2001&token.id=0.0.1502&limit=1', null],
  // The mirror node writes `receiver.id=gt:0.0.2001`, and loses the second NFT.
  [
    'airdrops/outstanding?token.id=0.0.1501&limit=1',
    'airdrops/outstanding?token.id=0.0.1501&limit=1&receiver.id=gte:0.0.2001&serialnumber=gt:1',
  ],
  // The bound holds for every receiver, which no bounds on all three can say.
  [
    'airdrops/outstanding?token.id=gte:0.0.1501&limit=1',
    'airdrops/outstanding?token.id=gte:0.0.1501&limit=1&after=2001-1501-1',
  ],
  [
    'airdrops/outstanding?token.id=gte:0.0.1501&limit=1&after=2001-1501-1',
    'airdrops/outstanding?token.id=gte:0.0.1501&limit=1&after=2001-1501-2',
  ],
  // Both are asked for, one after the other.
  [
    'airdrops/outstanding?token.id=0.0.1500&token.id=0.0.1501&limit=1',
    'airdrops/outstanding?token.id=0.0.1500&token.id=0.0.1501&limit=1&after=2001-1500-0',
  ],
])('%s goes on at %s', async (url, next) => {
  const { body } = await answers.get('hiero', `/api/v1/accounts/0.0.1001/${url}`);
  expect(body.links).toEqual({ next: next && `/api/v1/accounts/0.0.1001/${next}` });
});

it.each<[url: string, status: number, text: string]>([
  ['x/airdrops/pending', 400, "Failed to convert 'id'"],
  [`${'ab'.repeat(20)}/airdrops/pending`, 404, 'No account found for the given ID'],
  ['1001/airdrops/outstanding?receiver.id=gt:5&receiver.id=lt:4', 400, 'Invalid range provided for account.id'],
  ['1001/airdrops/outstanding?receiver.id=gt:0&receiver.id=lt:1', 400, 'Invalid range provided for account.id'],
  ['2001/airdrops/pending?sender.id=gt:0.0.0&sender.id=lt:0.0.1', 400, 'Invalid range provided for account.id'],
  ['1001/allowances/nfts?account.id=gte:1&account.id=lte:0', 400, 'Invalid range provided for account.id'],
  ['1001/airdrops/outstanding?after=2001', 400, "Failed to convert 'after'"],
  [`1001/airdrops/outstanding?after=1-1-${2n ** 63n - 1n}`, 400, "Failed to convert 'after'"],
  [`1001/airdrops/outstanding?after=-${2n ** 63n}-1-1`, 400, "Failed to convert 'after'"],
  ['1001/airdrops/outstanding?limit=101', 400, 'limit must be less than or equal to 100'],
  ['1001/airdrops/outstanding?token.id=1&token.id=2&token.id=3', 400, 'tokenIds size must be between 0 and 2'],
  ['1001/allowances/nfts?account.id=gt:5&account.id=lt:4', 400, 'Invalid range provided for account.id'],
  ['1001/allowances/nfts?token.id=5', 400, 'token.id parameter must have account.id present'],
  ['1001/allowances/nfts?account.id=ne:5', 400, 'Unsupported range operator ne for account.id'],
  [
    '1001/allowances/nfts?account.id=gt:5&account.id=gte:6',
    400,
    'Only one range operator from [gt, gte] is allowed for the given parameter for account.id',
  ],
  ['1001/allowances/nfts?account.id=5&account.id=gte:2', 400, "Can't support both range and equal for account.id"],
  ['1001/allowances/nfts?account.id=gte:5&token.id=gt:5&token.id=lt:4', 400, 'Invalid range provided for token.id'],
  [
    '1001/allowances/nfts?account.id=gt:5&token.id=lt:4',
    400,
    'Requires the presence of an lte or eq account.id parameter',
  ],
  [
    '1001/allowances/nfts?account.id=gt:5&token.id=gt:4',
    400,
    'Requires the presence of an gte or eq account.id parameter',
  ],
  ['1001/allowances/nfts?owner=y', 400, "Failed to convert 'owner'"],
])('%s is refused', async (url, status, text) => {
  const { status: found, body } = await answers.get('hiero', `/api/v1/accounts/${url}`);
  const reason = status === 404 ? 'Not Found' : 'Bad Request';
  expect([found, body]).toEqual([status, { _status: { messages: [{ detail: text, message: reason }] } }]);
});

it.each(['airdrops/outstanding?receiver.id', 'allowances/nfts?account.id'])(
  '%s that names no account finds nothing',
  async (url) => {
    const { status, body } = await answers.get('spec', `/api/v1/accounts/0.0.1001/${url}=0x${'ab'.repeat(20)}`);
    expect([status, body.links]).toEqual([200, { next: null }]);
  },
);
