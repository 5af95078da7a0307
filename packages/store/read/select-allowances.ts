// What owners allow others to spend: hbar, and tokens.
import { clampRange, emptyRange, type Range } from '../../kit/range.ts';
import { pageReader } from './select-page.ts';
import { everyColumn } from './statement/columns.ts';
import { int64 } from './statement/statement-parts.ts';

/**
 * The index of spenders has no owners: for a popular spender it leads to all of them. So bounds of spenders are bounds
 * on both columns, which only the key has.
 */
const ofOwner = (table: string, bound: string) => {
  const pair = '(owner, spender)';
  return `${table} where owner = $1 and amount > 0 and ${pair} >= ($1, $2::int8) and ${pair} <= ($1, ${bound}::int8)`;
};

const validity = { timestamp: 'timestamp_range' } as const;

/** Those with an amount left, by spender. */
export const selectCryptoAllowances = pageReader(
  everyColumn('crypto_allowance', validity),
  ['spender'],
  ({ owner, spender }: { owner: bigint; spender: Range }) => {
    const { from, to, equals } = clampRange(spender, int64);
    const name = 'select-crypto-allowances';
    if (equals.length > 1) {
      return { name, from: 'crypto_allowance where owner = $1 and amount > 0', values: [owner], keys: { spender } };
    }
    const [only] = equals;
    const isWithin = only === undefined || ((from ?? only) <= only && only <= (to ?? only));
    return {
      name,
      shape: 'bounded',
      from: ofOwner('crypto_allowance', '$3'),
      values: [owner, only ?? from ?? int64.min, only ?? to ?? int64.max],
      keys: { spender: isWithin ? { ...spender, from: null, to: null, equals: [] } : emptyRange },
    };
  },
);

/** The same for tokens, by spender and token. */
export const selectTokenAllowances = pageReader(
  everyColumn('token_allowance', validity),
  ['spender', 'tokenId'],
  ({ owner, spender, token }: { owner: bigint; spender: Range; token: Range }) => {
    const { equals } = clampRange(spender, int64);
    const name = 'select-token-allowances';
    if (equals.length !== 1) {
      const from = 'token_allowance where owner = $1 and amount > 0';
      return { name, from, values: [owner], keys: { spender, token_id: token } };
    }
    return {
      name,
      shape: 'one',
      from: ofOwner('token_allowance', '$2'),
      values: [owner, equals[0]],
      keys: { spender: { ...spender, equals: [] }, token_id: token },
    };
  },
);

/** `by`: which party `accountId` is; `other`: conditions on the other one. */
type NftAllowancesFilter = { by: 'owner' | 'spender'; accountId: bigint; other: Range; token: Range };

/** Those for all NFTs of a token, of an owner or of a spender; by the other party and token. */
export const selectNftAllowances = pageReader(
  everyColumn('nft_allowance', validity),
  ['owner', 'spender', 'tokenId'],
  ({ by, accountId, other, token }: NftAllowancesFilter) => ({
    name: `select-nft-allowances-by-${by}`,
    from: 'nft_allowance',
    owner: by,
    condition: ' and approved_for_all',
    values: [accountId],
    keys: { [by === 'owner' ? 'spender' : 'owner']: other, token_id: token },
  }),
);
