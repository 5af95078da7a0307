// A page of the transactions that an account paid for or took part in. First the consensus timestamps, each of four
// sources read along its own index and cut early, then the rows of just that page: as one join the plan collapses.
import type { Database } from '../database.ts';
import type { JsonValue } from '../table.ts';
import { selectLastBlockEnd } from './last-block-end.ts';
import { parseExactJson } from './parse-exact-json.ts';
import type { TimestampFilter } from './statement-parts.ts';
import { toLiteralLimit, toTimestampPart } from './statement-parts.ts';

export type TransactionRow = {
  batch_key: Buffer | null;
  charged_tx_fee: bigint | null;
  consensus_timestamp: bigint;
  entity_id: bigint | null;
  high_volume: boolean;
  high_volume_pricing_multiplier: bigint | null;
  max_custom_fees: Buffer[] | null;
  max_fee: bigint | null;
  memo: Buffer | null;
  nft_transfer: JsonValue;
  node_account_id: bigint | null;
  nonce: number;
  parent_consensus_timestamp: bigint | null;
  payer_account_id: bigint;
  result: number;
  scheduled: boolean;
  transaction_bytes: Buffer | null;
  transaction_hash: Buffer | null;
  type: number;
  valid_duration_seconds: bigint | null;
  valid_start_ns: bigint;
  crypto_transfers: { entity_id: bigint; amount: bigint; is_approval: boolean }[];
  token_transfers: { token_id: bigint; account_id: bigint; amount: bigint; is_approval: boolean }[];
  staking_reward_transfers: { account_id: bigint; amount: bigint }[];
};

export type AccountTransactionsFilter = {
  accountId: bigint;
  timestamp: TimestampFilter;
  types: { numbers: readonly number[]; except: boolean } | null;
  order: 'asc' | 'desc';
  limit: number;
  /** The account that pays staking rewards (0.0.800): only its transfers can come with reward rows. */
  rewardAccountId: bigint;
};

export type AccountTransactionsPage = {
  rows: TransactionRow[];
  /** consensus_end of the newest block that the page was read with. */
  lastBlockEnd: bigint | null;
};

export async function selectAccountTransactions(
  db: Database,
  filter: AccountTransactionsFilter,
): Promise<AccountTransactionsPage> {
  const values: unknown[] = [filter.accountId, filter.rewardAccountId];
  const time = toTimestampPart(filter.timestamp, values);
  const types = toTypePart(filter.types, values);
  const limit = toLiteralLimit(filter.limit);
  const exclusion = transferExclusion(filter.accountId);
  const { order } = filter;

  const source = (timeColumn: string, from: string, typeColumn: string, distinct = '') => `(
    select ${distinct}${timeColumn} from ${from}${time.sql(timeColumn)}${types.sql(typeColumn)}
    order by ${timeColumn} ${order} limit ${limit})`;
  const text = `with candidates as (
  ${source(
    't.consensus_timestamp',
    `transaction t where t.payer_account_id = $1
      and (t.nonce = 0 or t.parent_consensus_timestamp is not null or t.type in (11, 15))`,
    't.type',
  )}
  union all
  ${source('et.consensus_timestamp', 'entity_transaction et where et.entity_id = $1', 'et.type')}
  union all
  ${source('ct.consensus_timestamp', `crypto_transfer ct where ct.entity_id = $1${exclusion.sql}`, typeOf('ct'), 'distinct ')}
  union all
  ${source('tt.consensus_timestamp', 'token_transfer tt where tt.account_id = $1', typeOf('tt'), 'distinct ')}
), page as (
  select distinct consensus_timestamp from candidates order by consensus_timestamp ${order} limit ${limit}
)
select ${selectLastBlockEnd} as last_block_end, x.*
from (values (1)) one left join (
  select t.*, c.crypto_transfers, tt.token_transfers,
    case when c.has_reward then (
      select string_agg(r.account_id || ',' || r.amount, ';' order by r.account_id)
      from staking_reward_transfer r where r.consensus_timestamp = t.consensus_timestamp
    ) end as staking_reward_transfers
  from page
  cross join lateral (
    select ${columns.join(', ')}, nft_transfer::text
    from transaction where consensus_timestamp = page.consensus_timestamp limit 1
  ) t
  cross join lateral (
    select string_agg(entity_id || ',' || amount || ',' || coalesce(is_approval::int, 0), ';' order by entity_id, amount)
        as crypto_transfers,
      bool_or(entity_id = $2) as has_reward
    from crypto_transfer
    where consensus_timestamp = t.consensus_timestamp and payer_account_id = t.payer_account_id
  ) c
  cross join lateral (
    select string_agg(token_id || ',' || account_id || ',' || amount || ',' || coalesce(is_approval::int, 0), ';'
        order by token_id, account_id) as token_transfers
    from token_transfer
    where consensus_timestamp = t.consensus_timestamp and payer_account_id = t.payer_account_id
  ) tt
) x on true
order by x.consensus_timestamp ${order}`;

  const stored = await db.query<StoredRow>({
    name: `select-account-transactions-${order}${limit}${exclusion.code}-${time.code}${types.code}`,
    text,
    values,
  });
  const rows = stored.filter((row) => row.consensus_timestamp !== null).slice(0, filter.limit);
  return { rows: rows.map(toTransactionRow), lastBlockEnd: stored[0]?.last_block_end ?? null };
}

type StoredRow = Omit<
  TransactionRow,
  'nft_transfer' | 'crypto_transfers' | 'token_transfers' | 'staking_reward_transfers'
> & {
  last_block_end: bigint | null;
  nft_transfer: string | null;
  crypto_transfers: string | null;
  token_transfers: string | null;
  staking_reward_transfers: string | null;
};

const columns = [
  'batch_key',
  'charged_tx_fee',
  'consensus_timestamp',
  'entity_id',
  'high_volume',
  'high_volume_pricing_multiplier',
  'max_custom_fees',
  'max_fee',
  'memo',
  'node_account_id',
  'nonce',
  'parent_consensus_timestamp',
  'payer_account_id',
  'result',
  'scheduled',
  'transaction_bytes',
  'transaction_hash',
  'type',
  'valid_duration_seconds',
  'valid_start_ns',
];

// The index (entity_id, consensus_timestamp) leaves out 98, on some databases 98 and 800, and PostgreSQL uses it only
// when the text itself says so. Nearly every transaction pays 98: its page is read along the timestamps.
function transferExclusion(accountId: bigint): { code: string; sql: string } {
  if (accountId === 98n) return { code: 'F', sql: '' };
  if (accountId === 800n) return { code: 'R', sql: ' and ct.entity_id <> 98' };
  return { code: '', sql: ' and ct.entity_id <> 98 and ct.entity_id <> 800' };
}

// A scalar sub-query: one probe of the timestamp's index for each transfer, never a join of two big tables.
function typeOf(alias: string): string {
  return `(select t.type from transaction t
      where t.consensus_timestamp = ${alias}.consensus_timestamp and t.payer_account_id = ${alias}.payer_account_id limit 1)`;
}

function toTypePart(types: AccountTransactionsFilter['types'], values: unknown[]) {
  if (!types) return { code: '', sql: () => '' };
  values.push(types.numbers);
  const parameter = `$${values.length}::int2[]`;
  const test = types.except ? `<> all(${parameter})` : `= any(${parameter})`;
  return { code: types.except ? 'X' : 'T', sql: (column: string) => ` and ${column} ${test}` };
}

function toTransactionRow(row: StoredRow): TransactionRow {
  return {
    ...row,
    nft_transfer: parseExactJson(row.nft_transfer),
    crypto_transfers: splitRows(row.crypto_transfers, (part) => ({
      entity_id: BigInt(part[0]!),
      amount: BigInt(part[1]!),
      is_approval: part[2] === '1',
    })),
    token_transfers: splitRows(row.token_transfers, (part) => ({
      token_id: BigInt(part[0]!),
      account_id: BigInt(part[1]!),
      amount: BigInt(part[2]!),
      is_approval: part[3] === '1',
    })),
    staking_reward_transfers: splitRows(row.staking_reward_transfers, (part) => ({
      account_id: BigInt(part[0]!),
      amount: BigInt(part[1]!),
    })),
  };
}

function splitRows<T>(text: string | null, toRow: (parts: string[]) => T): T[] {
  return text ? text.split(';').map((line) => toRow(line.split(','))) : [];
}
