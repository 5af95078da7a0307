// The rows of a page of transactions, for consensus timestamps that a list of candidates names: one index probe for each
// row, and one more for each table of transfers where the row has no copy of them. As one join over the big tables the
// plan collapses.

import type { JsonValue } from '../schema/table.ts';
import type { Database } from '../wire/database.ts';
import { type TransfersOfTransaction, unpackTransfers } from '../write/packed-transfers.ts';
import {
  asTexts,
  columns,
  columnsOf,
  expression,
  type Replace,
  type RowOf,
  selectAll,
  selectQuery,
} from './columns.ts';
import { lastBlockEnd } from './last-block-end.ts';
import { parseExactJson } from './parse-exact-json.ts';

export type TransactionRow = Replace<RowOf<typeof columnsOfTransaction>, { nft_transfer: JsonValue }> &
  TransfersOfTransaction;

export type TransactionPageQuery = {
  name: string;
  shape: string;
  /** Common table expressions; the one called `candidates` has a column consensus_timestamp, repeats allowed. */
  candidates: string;
  /**
   * Scalar SQL: the consensus timestamp from which on, in the order of the page, the candidates may be incomplete;
   * null = they are complete.
   */
  horizon?: string;
  /** Their first one, `$1`, is the account that pays staking rewards: only its transfers can come with reward rows. */
  values: unknown[];
  order: 'asc' | 'desc';
  /** Stands literally in the text; null = all of them. */
  literalLimit: number | null;
};

export type TransactionPage = {
  rows: TransactionRow[];
  /** null = no more candidates than those of the page were left out. */
  horizon: bigint | null;
  /** consensus_end of the newest block that the page was read with. */
  lastBlockEnd: bigint | null;
};

export async function selectTransactionPage(db: Database, query: TransactionPageQuery): Promise<TransactionPage> {
  const { name, shape, candidates, horizon = 'null::int8', values, order, literalLimit } = query;
  const from = `from (values (1)) one left join (
  select ${storedTransaction.sql}
  from page
  cross join lateral (
    select ${columnsOfTransaction.sql}
    from transaction where consensus_timestamp = page.consensus_timestamp limit 1
  ) t
) x on true
order by x.consensus_timestamp ${order}`;
  const tables = `${candidates}, page as (
  select distinct consensus_timestamp from candidates order by consensus_timestamp ${order}${literalLimit === null ? '' : ` limit ${literalLimit}`}
)`;
  const select = selectAll(
    lastBlockEnd,
    expression('horizon', 'int8', horizon).nullable(),
    columnsOf(storedTransaction, 'x').optional(),
  );
  const stored = await db.query(selectQuery({ name, shape, tables, select, from, values }));
  const first = stored[0];
  return {
    rows: stored.flatMap((row) => (row.consensus_timestamp === null ? [] : toTransactionRow(row))),
    horizon: first?.horizon ?? null,
    lastBlockEnd: first?.last_block_end ?? null,
  };
}

const columnsOfTransaction = selectAll(
  columns('transaction', [
    'batch_key',
    'charged_tx_fee',
    'consensus_timestamp',
    'entity_id',
    'high_volume',
    'high_volume_pricing_multiplier',
    'inner_transactions',
    'max_custom_fees',
    'max_fee',
    'memo',
    'node_account_id',
    'nonce',
    'packed_transfers',
    'parent_consensus_timestamp',
    'payer_account_id',
    'result',
    'scheduled',
    'transaction_bytes',
    'transaction_hash',
    'type',
    'valid_duration_seconds',
    'valid_start_ns',
  ]),
  asTexts('transaction', ['nft_transfer']),
);

/** What the tables of transfers say, where nothing is packed: those of hbar, then, after a bar, the rewards; those of tokens. */
const transfersInTables = selectAll(
  expression(
    'crypto_transfers',
    'text',
    `case when t.packed_transfers is null then (
      select string_agg(entity_id || ',' || amount || ',' || coalesce(is_approval::int, 0), ';' order by entity_id, amount)
        || case when bool_or(entity_id = $1) then coalesce((
          select '|' || string_agg(r.account_id || ',' || r.amount, ';' order by r.account_id)
          from staking_reward_transfer r where r.consensus_timestamp = t.consensus_timestamp
        ), '') else '' end
      from crypto_transfer
      where consensus_timestamp = t.consensus_timestamp and payer_account_id = t.payer_account_id
    ) end`,
  ).nullable(),
  expression(
    'token_transfers',
    'text',
    `case when t.packed_transfers is null then (
      select string_agg(token_id || ',' || account_id || ',' || amount || ',' || coalesce(is_approval::int, 0), ';'
          order by token_id, account_id)
      from token_transfer
      where consensus_timestamp = t.consensus_timestamp and payer_account_id = t.payer_account_id
    ) end`,
  ).nullable(),
);

const storedTransaction = selectAll(columnsOf(columnsOfTransaction, 't'), transfersInTables);

function toTransactionRow(row: RowOf<typeof storedTransaction>): TransactionRow {
  const transfers = row.packed_transfers ? unpackTransfers(row.packed_transfers) : splitTransfers(row);
  return Object.assign(row, transfers, { nft_transfer: parseExactJson(row.nft_transfer) });
}

function splitTransfers({
  crypto_transfers,
  token_transfers,
}: RowOf<typeof transfersInTables>): TransfersOfTransaction {
  const [hbar = '', rewards = ''] = crypto_transfers?.split('|') ?? [];
  return {
    transfers: splitRows(hbar, (part) => ({
      accountId: BigInt(part[0]!),
      amount: BigInt(part[1]!),
      isApproval: part[2] === '1',
    })),
    tokenTransfers: splitRows(token_transfers, (part) => ({
      tokenId: BigInt(part[0]!),
      accountId: BigInt(part[1]!),
      amount: BigInt(part[2]!),
      isApproval: part[3] === '1',
    })),
    stakingRewardTransfers: splitRows(rewards, (part) => ({ accountId: BigInt(part[0]!), amount: BigInt(part[1]!) })),
  };
}

function splitRows<T>(text: string | null, toRow: (parts: string[]) => T): T[] {
  return text ? text.split(';').map((line) => toRow(line.split(','))) : [];
}
