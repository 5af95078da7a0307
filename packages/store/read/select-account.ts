// The row of an account (or of a contract as an account), with its staking state; now or within a time span.

import type { Database } from '../../postgres/wire/database.ts';
import { systemEntityNums } from '../../protocol/hapi/system-entity.ts';
import { inventedTreasuryMemo } from '../../schema/invented-treasury.ts';
import { lastBlockEnd } from './last-block-end.ts';
import { type AccountName, toNameCondition } from './select-account-ids.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';
import { alongOwner } from './statement/owner-part.ts';
import { latestVersion, toVersionValues, type VersionFilter, versionConditions } from './statement/statement-parts.ts';
import { tokenBalances } from './token-balances.ts';

/** With the staking state, null without one. */
export type StoredAccountRow = RowOf<typeof storedAccount>;

/** With the newest block that the row was read with. */
type AccountRow = RowOf<typeof accountRow>;

type AccountWithTokens = AccountRow & { tokens: Buffer | null };

/** The current account and the balances of the tokens it is associated with, ascending, at most `tokenLimit`. */
export function selectAccount(db: Database, id: bigint, tokenLimit: number): Promise<AccountWithTokens | null> {
  return selectOne(db, {
    name: 'select-account',
    shape: `${tokenLimit}`,
    // By the given id, which selects the machine in a distributed database.
    select: selectAll(accountRow, tokensOfAccount(db, tokenLimit, 'asc', '$1::int8')),
    from: `${fromCurrent} where e.id = $1 and ${isAccount}`,
    values: [id],
  });
}

/**
 * The undeleted entities with a name, with their balances, at most two (two = ambiguous); `is_account`: whether one is
 * an account or a contract.
 */
export function selectNamedAccounts(
  db: Database,
  name: AccountName,
  tokenLimit: number,
): Promise<(AccountWithTokens & { isAccount: boolean })[]> {
  const { condition, value } = toNameCondition(name);
  const query = selectQuery({
    name: `select-account-by-${name.kind}`,
    shape: `${tokenLimit}`,
    select: selectAll(accountRow, tokensOfAccount(db, tokenLimit), expression('is_account', 'bool', `(${isAccount})`)),
    from: `${fromCurrent} where ${condition} limit 2`,
    values: [value],
  });
  return db.query(query);
}

/** The newest version of the account that meets the filter; its staking state by the same rule. */
export function selectAccountAt(db: Database, id: bigint, filter: VersionFilter): Promise<AccountRow | null> {
  return selectOne(db, {
    name: 'select-account-at',
    select: accountRow,
    from: fromVersions,
    values: [id, ...toVersionValues(filter)],
  });
}

export const entityColumns = [
  'alias',
  'auto_renew_period',
  'balance',
  'balance_timestamp',
  'created_timestamp',
  'decline_reward',
  'delegation_address',
  'deleted',
  'ethereum_nonce',
  'evm_address',
  'expiration_timestamp',
  'id',
  'key',
  'max_automatic_token_associations',
  'memo',
  'receiver_sig_required',
  'stake_period_start',
  'staked_account_id',
  'staked_node_id',
] as const;
const stakeColumns = ['end_stake_period', 'pending_reward'] as const;

export const storedAccount = selectAll(
  columns('entity', entityColumns, 'e'),
  columns('entity_stake', stakeColumns, 's').optional(),
);
const accountRow = selectAll(storedAccount, lastBlockEnd);

/** `account`: SQL; of the entity `e`. */
export function tokensOfAccount(db: Database, limit: number, order: 'asc' | 'desc' = 'asc', account = 'e.id') {
  const ofAccount = alongOwner(db, { owner: 'account_id', id: account, column: 'token_id' });
  return tokenBalances(
    `select token_id, balance from token_account where ${ofAccount} and associated
    order by account_id ${order}, token_id ${order} limit ${limit}`,
    order,
  );
}

/** Joins the staking state `s` of the entity `e`. */
export const joinedStaking = '\nleft join entity_stake s on s.id = e.id';

export const fromCurrent = `from entity e${joinedStaking}`;

// The Hiero mirror node makes up a treasury if the stream has none; it is not an account of the ledger.
export const isNotInvented = `not (num = ${systemEntityNums.treasury} and memo = '${inventedTreasuryMemo}')`;
const isAccount = `type in ('ACCOUNT', 'CONTRACT') and ${isNotInvented}`;

const meetsFilter = versionConditions(2);
const fromVersions = `from ${latestVersion('entity', [...entityColumns, 'timestamp_range'], `id = $1 and ${isAccount}${meetsFilter}`)} e
left join ${latestVersion('entity_stake', [...stakeColumns, 'timestamp_range'], `id = $1${meetsFilter}`)} s
  on true`;
