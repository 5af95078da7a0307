// Who is associated with which token, and what they hold of it.
import { isEmptyRange, type Range } from '../../kit/range.ts';
import { type AccountHoldingRow, selectHoldingsOfAccount } from '../../store/read/select-holdings.ts';
import type { Database } from '../../store/wire/database.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';

/** A token of an account; what only the token says is null where it is not known. */
export type AccountHolding = {
  automaticAssociation: boolean | null;
  /** Smallest units. */
  balance: bigint;
  createdTimestamp: bigint | null;
  decimals: bigint | null;
  tokenId: bigint;
  /** TokenFreezeStatus and TokenKycStatus of HAPI. */
  freezeStatus: number | null;
  kycStatus: number | null;
};

export type AccountHoldingsQuery = { accountId: bigint; token: Range; order: 'asc' | 'desc'; limit: number };

export function createHoldings({ db }: { db: Database }) {
  return {
    /** By token; of several exact ones any. */
    async listOfAccount(query: AccountHoldingsQuery): Promise<Page<AccountHolding>> {
      if (isEmptyRange(query.token)) return emptyPage;
      const rows = await selectHoldingsOfAccount(db, query);
      return toPage(rows.map(toAccountHolding), query.limit, (last) => last.tokenId);
    },
  };
}

function toAccountHolding(row: AccountHoldingRow): AccountHolding {
  return {
    automaticAssociation: row.automaticAssociation,
    balance: row.balance,
    createdTimestamp: row.createdTimestamp,
    decimals: row.decimals,
    tokenId: row.tokenId,
    freezeStatus: row.freezeStatus ?? row.tokenFreezeStatus,
    kycStatus: row.kycStatus ?? row.tokenKycStatus,
  };
}
