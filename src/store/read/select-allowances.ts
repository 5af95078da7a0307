// What owners allow others to spend: hbar, and tokens.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, selectAll } from './columns.ts';
import { type PageFilter, selectPage } from './select-page.ts';

export type CryptoAllowancesFilter = PageFilter & { owner: bigint; spender: Range };

/** Those of which something is left, by spender. */
export function selectCryptoAllowances(db: Database, { owner, spender, ...page }: CryptoAllowancesFilter) {
  return selectPage(db, page, {
    name: 'select-crypto-allowances',
    select: cryptoAllowance,
    from: 'crypto_allowance where owner = $1 and amount > 0',
    values: [owner],
    keys: { spender },
  });
}

/** The same of tokens, by spender and token. */
export function selectTokenAllowances(
  db: Database,
  { owner, spender, token, ...page }: CryptoAllowancesFilter & { token: Range },
) {
  return selectPage(db, page, {
    name: 'select-token-allowances',
    select: tokenAllowance,
    from: 'token_allowance where owner = $1 and amount > 0',
    values: [owner],
    keys: { spender, token_id: token },
  });
}

/** `by`: which party `accountId` is; `other`: conditions on the other one. */
export type NftAllowancesFilter = PageFilter & {
  by: 'owner' | 'spender';
  accountId: bigint;
  other: Range;
  token: Range;
};

/** Those of all NFTs of a token, of an owner or of a spender; by the other party and token. */
export function selectNftAllowances(db: Database, { by, accountId, other, token, ...page }: NftAllowancesFilter) {
  return selectPage(db, page, {
    name: `select-nft-allowances-by-${by}`,
    select: nftAllowance,
    from: `nft_allowance where ${by} = $1 and approved_for_all`,
    values: [accountId],
    keys: { [by === 'owner' ? 'spender' : 'owner']: other, token_id: token },
  });
}

const allowance = { owner: 'owner', spender: 'spender', timestamp: 'timestamp_range' } as const;
const amounts = ['amount', 'amount_granted'] as const;
const cryptoAllowance = selectAll(columns('crypto_allowance', amounts), columns('crypto_allowance', allowance));
const tokenAllowance = selectAll(
  columns('token_allowance', [...amounts, 'token_id']),
  columns('token_allowance', allowance),
);
const nftAllowance = selectAll(
  columns('nft_allowance', ['approved_for_all', 'token_id']),
  columns('nft_allowance', allowance),
);
