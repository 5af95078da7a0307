// The row of an account (or of a contract seen as an account), with its staking state; now or within a span of time.
import type { Database } from '../wire/database.ts';
import { selectLastBlockEnd } from './last-block-end.ts';
import { type AccountName, toNameCondition } from './select-account-ids.ts';
import type { VersionFilter } from './statement-parts.ts';
import { latestVersion, toVersionValues, versionConditions } from './statement-parts.ts';

export type AccountRow = {
  alias: Buffer | null;
  auto_renew_period: bigint | null;
  balance: bigint | null;
  balance_timestamp: bigint | null;
  created_timestamp: bigint | null;
  decline_reward: boolean;
  delegation_address: Buffer | null;
  deleted: boolean | null;
  ethereum_nonce: bigint | null;
  evm_address: Buffer | null;
  expiration_timestamp: bigint | null;
  id: bigint;
  key: Buffer | null;
  max_automatic_token_associations: number | null;
  memo: string;
  receiver_sig_required: boolean | null;
  stake_period_start: bigint | null;
  staked_account_id: bigint | null;
  staked_node_id: bigint | null;
  /** From the staking state; null where there is none. */
  end_stake_period: bigint | null;
  pending_reward: bigint | null;
  /** consensus_end of the newest block that this row was read with. */
  last_block_end: bigint | null;
};

export type TokenBalanceRow = { token_id: bigint; balance: bigint };

type AccountWithTokens = AccountRow & { tokens: TokenBalanceRow[] };

/** The current account and the balances of the tokens it is associated with, ascending, at most `tokenLimit`. */
export async function selectAccount(db: Database, id: bigint, tokenLimit: number): Promise<AccountWithTokens | null> {
  const rows = await db.query<AccountRow & { tokens: string | null }>({
    name: 'select-account',
    shape: `${tokenLimit}`,
    text: `${currentSelection(tokenLimit)} where e.id = $1 and ${isAccount}`,
    values: [id],
  });
  const row = rows[0];
  return row ? withTokens(row) : null;
}

/**
 * The living entities behind a name with their balances, at most two (two = ambiguous); `is_account` tells whether one is
 * an account or a contract.
 */
export async function selectNamedAccounts(
  db: Database,
  name: AccountName,
  tokenLimit: number,
): Promise<(AccountWithTokens & { is_account: boolean })[]> {
  const { condition, value } = toNameCondition(name);
  const rows = await db.query<AccountRow & { tokens: string | null; is_account: boolean }>({
    name: `select-account-by-${name.kind}`,
    shape: `${tokenLimit}`,
    text: `${currentSelection(tokenLimit, `, (${isAccount}) as is_account`)} where ${condition} limit 2`,
    values: [value],
  });
  return rows.map(withTokens);
}

/** The newest version of the account that meets the filter; its staking state by the same rule. */
export async function selectAccountAt(db: Database, id: bigint, filter: VersionFilter): Promise<AccountRow | null> {
  const rows = await db.query<AccountRow>({
    name: 'select-account-at',
    text: historicText,
    values: [id, ...toVersionValues(filter)],
  });
  return rows[0] ?? null;
}

const columns = [
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
];

const selection = `select ${columns.map((column) => `e.${column}`).join(', ')},
  s.end_stake_period, s.pending_reward, ${selectLastBlockEnd} as last_block_end`;

function currentSelection(tokenLimit: number, further = ''): string {
  return `${selection},
  (select string_agg(ta.token_id || ',' || ta.balance, ';' order by ta.token_id) from (
    select token_id, balance from token_account where account_id = e.id and associated order by token_id limit ${tokenLimit}
  ) ta) as tokens${further}
from entity e
left join entity_stake s on s.id = e.id`;
}

// The Hiero mirror node invents a treasury where the stream has none; it is no account of the ledger.
const isAccount = `type in ('ACCOUNT', 'CONTRACT')
  and not (num = 2 and memo = 'Mirror node created synthetic treasury account')`;

const meetsFilter = versionConditions(2);
const historicText = `${selection}
from ${latestVersion('entity', [...columns, 'timestamp_range'], `id = $1 and ${isAccount}${meetsFilter}`)} e
left join ${latestVersion('entity_stake', ['end_stake_period', 'pending_reward', 'timestamp_range'], `id = $1${meetsFilter}`)} s
  on true`;

function withTokens<Row extends { tokens: string | null }>(row: Row) {
  return { ...row, tokens: parseTokens(row.tokens) };
}

function parseTokens(text: string | null): TokenBalanceRow[] {
  if (!text) return [];
  return text.split(';').map((pair) => {
    const comma = pair.indexOf(',');
    return { token_id: BigInt(pair.slice(0, comma)), balance: BigInt(pair.slice(comma + 1)) };
  });
}
