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
    adminKey: row.admin_key,
    decimals: row.decimals,
    metadata: row.metadata,
    name: row.name,
    symbol: row.symbol,
    tokenId: row.token_id,
    type: row.type,
  };
}

function toToken(row: TokenRow): Token {
  return {
    adminKey: row.admin_key,
    autoRenewAccountId: row.auto_renew_account_id,
    autoRenewPeriod: row.auto_renew_period,
    createdTimestamp: row.created_timestamp,
    customFees: toCustomFees(row),
    decimals: row.decimals,
    deleted: row.deleted,
    expiryTimestamp: toExpiryTimestamp(row, row.created_timestamp),
    feeScheduleKey: row.fee_schedule_key,
    freezeDefault: row.freeze_default,
    freezeKey: row.freeze_key,
    initialSupply: row.initial_supply,
    kycKey: row.kyc_key,
    maxSupply: row.max_supply,
    memo: row.memo,
    metadata: row.metadata,
    metadataKey: row.metadata_key,
    modifiedTimestamp: row.modified_timestamp,
    name: row.name,
    pauseKey: row.pause_key,
    pauseStatus: row.pause_status,
    supplyKey: row.supply_key,
    supplyType: row.supply_type,
    symbol: row.symbol,
    tokenId: row.token_id,
    totalSupply: row.total_supply,
    treasuryAccountId: row.treasury_account_id,
    type: row.type,
    wipeKey: row.wipe_key,
  };
}
