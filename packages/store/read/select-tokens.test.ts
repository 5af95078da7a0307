import { afterAll, beforeAll, expect, it } from 'vitest';
import { anyRange } from '../../kit/range.ts';
import { type StoredRows, storeRows } from '../../test-support/rows/store-rows.ts';
import { selectTokens, type TokensFilter } from './select-tokens.ts';

const names = ['Alpha one', 'alphabet', 'Beta', 'ALPHA two', 'beta alpha'];
const ids = Array.from({ length: 60 }, (_, index) => BigInt(1000 + index));
const nameOf = (id: bigint): string => names[Number(id % 5n)]!;
const typeOf = (id: bigint): string => (id % 3n === 0n ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON');
/** Has no entity, so that it is in no list. */
const incomplete = 1003n;

let stored: StoredRows;

beforeAll(async () => {
  stored = await storeRows(
    ids.flatMap((id) => {
      const entity = { id, num: id, shard: 0n, realm: 0n, type: 'TOKEN', memo: '', timestamp_range: '[1,)' };
      const token = {
        ...{ token_id: id, name: nameOf(id), symbol: 'S', type: typeOf(id), decimals: 0n, initial_supply: 0n },
        ...{ total_supply: 0n, treasury_account_id: 2n, created_timestamp: 1n, timestamp_range: '[1,)' },
        ...{ freeze_status: 0n, kyc_status: 0n },
      };
      return [
        { table: 'token', row: token },
        ...(id === incomplete
          ? []
          : [{ table: 'entity', row: { ...entity, public_key: id % 2n === 0n ? 'ab' : 'cd' } }]),
      ];
    }),
  );
});
afterAll(() => stored?.close());

const members = ['name'] as const;
const any: TokensFilter = {
  ...{ accountId: null, id: anyRange, names: [], publicKey: [], type: [], order: 'asc', limit: 100 },
};

it.each<[string, Partial<TokensFilter>, (id: bigint) => boolean]>([
  ['of a name', { names: ['alpha'] }, (id) => /alpha/i.test(nameOf(id))],
  ['of two parts of a name', { names: ['alpha', 'beta'] }, (id) => /beta alpha/.test(nameOf(id))],
  ['of a name in no token', { names: ['gamma'] }, () => false],
  [
    'of a name and a type, from an id on',
    {
      names: ['ALPHA'],
      type: [{ operator: 'eq', text: 'NON_FUNGIBLE_UNIQUE' }],
      id: { ...anyRange, from: 1020n },
    },
    (id) => /alpha/i.test(nameOf(id)) && id % 3n === 0n && id >= 1020n,
  ],
  [
    'of a name and a key',
    { names: ['alpha'], publicKey: [{ operator: 'eq', text: 'ab' }] },
    (id) => /alpha/i.test(nameOf(id)) && id % 2n === 0n,
  ],
])('tokens %s', async (_name, filter, isOf) => {
  const found = ids.filter((id) => id !== incomplete && isOf(id));
  for (const [order, all] of [
    ['asc', found],
    ['desc', found.toReversed()],
  ] as const) {
    for (const limit of [1, 3, 25, 100]) {
      const rows = await selectTokens(stored.db, { ...any, ...filter, members, order, limit });
      expect(rows.map(({ tokenId, name }) => [tokenId, name])).toEqual(
        all.slice(0, limit).map((id) => [id, nameOf(id)]),
      );
    }
  }
});
