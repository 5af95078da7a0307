// What owners allow others to spend: hbar, and tokens.
import type { Range } from '../../kit/range.ts';
import type { Database } from '../wire/database.ts';
import { columns, type RowOf, selectQuery } from './columns.ts';
import { toKeyPart } from './key-part.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';
import { type TwoKeyRange, toTwoKeyPart } from './two-key-part.ts';

export type CryptoAllowanceRow = RowOf<typeof cryptoAllowanceRow>;
export type TokenAllowanceRow = RowOf<typeof tokenAllowanceRow>;

type PageFilter = { order: 'asc' | 'desc'; limit: number };

/** Those of which something is left, by spender. */
export async function selectCryptoAllowances(
  db: Database,
  filter: PageFilter & { owner: bigint; spender: Range },
): Promise<CryptoAllowanceRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.owner];
  const spender = toRangePart(filter.spender, values);
  const query = selectQuery({
    name: 'select-crypto-allowances',
    shape: `${order}${limit}-${spender.code}`,
    select: cryptoAllowanceRow,
    from: `from crypto_allowance where owner = $1 and amount > 0${spender.sql('spender')}
order by spender ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

/** The same of tokens, by spender and token. */
export async function selectTokenAllowances(
  db: Database,
  filter: PageFilter & { owner: bigint; keys: TwoKeyRange },
): Promise<TokenAllowanceRow[]> {
  const { order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.owner];
  const keys = toTwoKeyPart(filter.keys, values);
  const query = selectQuery({
    name: 'select-token-allowances',
    shape: `${order}${limit}-${keys.code}`,
    select: tokenAllowanceRow,
    from: `from token_allowance where owner = $1 and amount > 0${keys.sql('spender', 'token_id')}
order by spender ${order}, token_id ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

export type NftAllowanceRow = RowOf<typeof nftAllowanceRow>;

/** Those of all NFTs of a token, of an owner or of a spender; by the other party and token. */
export async function selectNftAllowances(
  db: Database,
  filter: PageFilter & { by: 'owner' | 'spender'; accountId: bigint; other: Range; token: Range },
): Promise<NftAllowanceRow[]> {
  const { by, order } = filter;
  const limit = toLiteralLimit(filter.limit);
  const values: unknown[] = [filter.accountId];
  const other = by === 'owner' ? 'spender' : 'owner';
  const keys = toKeyPart(
    [
      { column: other, range: filter.other },
      { column: 'token_id', range: filter.token },
    ],
    values,
  );
  const query = selectQuery({
    name: `select-nft-allowances-by-${by}`,
    shape: `${order}${limit}-${keys.code}`,
    select: nftAllowanceRow,
    from: `from nft_allowance where ${by} = $1 and approved_for_all${keys.sql}
order by ${other} ${order}, token_id ${order} limit ${limit}`,
    values,
  });
  return (await db.query(query)).slice(0, filter.limit);
}

const nftAllowanceRow = columns('nft_allowance', [
  'approved_for_all',
  'owner',
  'spender',
  'timestamp_range',
  'token_id',
]);
const allowanceColumns = ['amount', 'amount_granted', 'owner', 'spender', 'timestamp_range'] as const;
const cryptoAllowanceRow = columns('crypto_allowance', allowanceColumns);
const tokenAllowanceRow = columns('token_allowance', [...allowanceColumns, 'token_id']);
