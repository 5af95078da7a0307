// A token as of now or as of T.

import { isEmptyRange } from '../../kit/range.ts';
import type { TokenRow } from '../../store/read/select-token.ts';
import { selectToken } from '../../store/read/select-token.ts';
import { type ListedTokenRow, selectTokens } from '../../store/read/select-tokens.ts';
import { latestMoment } from '../../store/read/statement-parts.ts';
import type { Database } from '../../store/wire/database.ts';
import { toExpiryTimestamp } from '../question/expiry.ts';
import { emptyPage, type Page, toPage } from '../question/page.ts';
import { toCustomFees } from './custom-fees.ts';
import type { ListedToken, Token, TokenQuery, TokensQuery } from './token.ts';

export type Tokens = {
  /** null = no such token (as of then), or it has no custom fee row. */
  find(query: TokenQuery): Promise<Token | null>;
  /** By id. */
  list(query: TokensQuery): Promise<Page<ListedToken>>;
};

export function createTokens({ db }: { db: Database }): Tokens {
  return {
    async find({ tokenId, until }) {
      const row = await selectToken(db, tokenId, until !== null && until > latestMoment ? latestMoment : until);
      return row && toToken(row);
    },
    async list({ accountId, ...query }) {
      if (accountId === undefined || isEmptyRange(query.id)) return emptyPage;
      const rows = await selectTokens(db, { ...query, accountId });
      return toPage(rows.map(toListedToken), query.limit, (last) => last.tokenId);
    },
  };
}

function toListedToken(row: ListedTokenRow): ListedToken {
  return {
    adminKey: row.adminKey,
    decimals: row.decimals,
    metadata: row.metadata,
    name: row.name,
    symbol: row.symbol,
    tokenId: row.tokenId,
    type: row.type,
  };
}

function toToken(row: TokenRow): Token {
  return {
    adminKey: row.adminKey,
    autoRenewAccountId: row.autoRenewAccountId,
    autoRenewPeriod: row.autoRenewPeriod,
    createdTimestamp: row.createdTimestamp,
    customFees: toCustomFees(row),
    decimals: row.decimals,
    deleted: row.deleted,
    expiryTimestamp: toExpiryTimestamp(row, row.createdTimestamp),
    feeScheduleKey: row.feeScheduleKey,
    freezeDefault: row.freezeDefault,
    freezeKey: row.freezeKey,
    initialSupply: row.initialSupply,
    kycKey: row.kycKey,
    maxSupply: row.maxSupply,
    memo: row.memo,
    metadata: row.metadata,
    metadataKey: row.metadataKey,
    modifiedTimestamp: row.modifiedTimestamp,
    name: row.name,
    pauseKey: row.pauseKey,
    pauseStatus: row.pauseStatus,
    supplyKey: row.supplyKey,
    supplyType: row.supplyType,
    symbol: row.symbol,
    tokenId: row.tokenId,
    totalSupply: row.totalSupply,
    treasuryAccountId: row.treasuryAccountId,
    type: row.type,
    wipeKey: row.wipeKey,
  };
}
