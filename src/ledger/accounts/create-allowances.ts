// What an account allows others to spend.
import { isEmptyRange, type Range } from '../../kit/range.ts';
import {
  type CryptoAllowanceRow,
  selectCryptoAllowances,
  selectNftAllowances,
  selectTokenAllowances,
} from '../../store/read/select-allowances.ts';
import type { TwoKeyRange } from '../../store/read/two-key-part.ts';
import type { TimestampRange } from '../../store/schema/table.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

/** Amounts in tinybar, or in smallest units of the token. */
export type Allowance = {
  /** What is left. */
  amount: bigint;
  amountGranted: bigint | null;
  owner: bigint;
  spender: bigint;
  timestamp: TimestampRange;
};

export type TokenAllowance = Allowance & { tokenId: bigint };

/** To spend all NFTs of a token. */
export type NftAllowance = Pick<TokenAllowance, 'owner' | 'spender' | 'timestamp' | 'tokenId'> & {
  approvedForAll: boolean;
};

/** `by`: which party `accountId` is; `other`: conditions on the other one. */
export type NftAllowancesQuery = {
  by: 'owner' | 'spender';
  accountId: bigint;
  other: Range;
  token: Range;
  order: 'asc' | 'desc';
  limit: number;
};

type PageQuery = { owner: bigint; order: 'asc' | 'desc'; limit: number };

export function createAllowances({ db }: { db: Database }) {
  return {
    /** By spender; of several exact ones any. */
    async listCrypto(query: PageQuery & { spender: Range }): Promise<Page<Allowance>> {
      if (isEmptyRange(query.spender)) return emptyPage;
      const rows = await selectCryptoAllowances(db, query);
      return toPage(rows.map(toAllowance), query.limit, (last) => last.spender);
    },
    /** By spender and token. */
    async listTokens(
      query: PageQuery & { spender: Range; token: Range },
    ): Promise<Page<TokenAllowance, readonly bigint[]>> {
      const keys: TwoKeyRange = { primary: query.spender, secondary: query.token };
      if (isEmptyRange(keys.primary)) return emptyPage;
      const rows = await selectTokenAllowances(db, { ...query, keys });
      const items = rows.map((row) => ({ ...toAllowance(row), tokenId: row.tokenId }));
      return toPage(items, query.limit, (last) => [last.spender, last.tokenId]);
    },
    /** By the other party and token. */
    async listNfts(query: NftAllowancesQuery): Promise<Page<NftAllowance, readonly bigint[]>> {
      if (isEmptyRange(query.other)) return emptyPage;
      const rows = await selectNftAllowances(db, query);
      const items = rows.map((row) => ({
        approvedForAll: row.approvedForAll,
        owner: row.owner,
        spender: row.spender,
        timestamp: row.timestampRange,
        tokenId: row.tokenId,
      }));
      const toOther = (last: NftAllowance) => (query.by === 'owner' ? last.spender : last.owner);
      return toPage(items, query.limit, (last) => [toOther(last), last.tokenId]);
    },
  };
}

function toAllowance(row: CryptoAllowanceRow): Allowance {
  return {
    amount: row.amount,
    amountGranted: row.amountGranted,
    owner: row.owner,
    spender: row.spender,
    timestamp: row.timestampRange,
  };
}
