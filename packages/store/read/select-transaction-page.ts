// The rows of a page of transactions, for consensus timestamps in a list of candidates: one index probe for each row,
// and one more for each table of transfers if the row has no copy of them. As one join over the big tables the plan is
// far slower. If rows have the copy, those tables are left out of the statement: setting up scans that never run takes
// PostgreSQL an eighth of the time of a page. For the same reason the page is sorted before its rows are joined.

import type { Database, NamedQuery } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { storedTable } from '../../schema/compact-form.ts';
import { sortTransfers, type TransfersOfTransaction, unpackTransfers } from '../../schema/packed-transfers.ts';
import { lastBlockEnd } from './last-block-end.ts';
import { parseExactJson } from './parse-exact-json.ts';
import {
  asTexts,
  columns,
  columnsOf,
  expression,
  type Replace,
  type RowOf,
  type Selection,
  selectAll,
  selectQuery,
} from './statement/columns.ts';

export type TransactionRow = Replace<RowOf<typeof columnsOfTransaction>, { nftTransfer: JsonValue }> &
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
  values: unknown[];
  /** The account that pays staking rewards: only its transfers can come with reward rows. A literal in the text. */
  rewardAccountId: bigint;
  order: 'asc' | 'desc';
  /** A literal in the text; null = all of them. */
  literalLimit: number | null;
};

export type TransactionPage = {
  rows: TransactionRow[];
  /** null = only candidates beyond the page were left out. */
  horizon: bigint | null;
  /** consensus_end of the newest block that the page was read with. */
  lastBlockEnd: bigint | null;
};

export async function selectTransactionPage(db: Database, query: TransactionPageQuery): Promise<TransactionPage> {
  const stamps = selectAll(lastBlockEnd, expression('horizon', 'int8', query.horizon ?? 'null::int8').nullable());
  const statement = transactionStatement(stamps, (select, isPacked) =>
    toPageQuery(query, select, isPacked ? 'page' : pageOfAnySize),
  );
  const stored = await selectWithTransfers(db, statement, query);
  const [first] = stored;
  return {
    rows: stored.filter(isFound),
    horizon: first?.horizon ?? null,
    lastBlockEnd: first?.lastBlockEnd ?? null,
  };
}

type Absence = { [Name in keyof TransactionRow]: null };

export function isFound<Row>(row: Row & (TransactionRow | Absence)): row is Row & TransactionRow {
  return row.consensusTimestamp !== null;
}

/** Reads transactions with the copies of their transfers, or with the tables of transfers. */
type TransactionStatement<Further> = {
  packed: NamedQuery<Further & PackedRow>;
  whole(rewardAccountId: bigint, isCompact: boolean): NamedQuery<Further & PackedRow & InTables>;
};

/** `toQuery` selects from `t`, which has the columns of `columnsOfTransaction`, and whatever `further` needs. */
export function transactionStatement<Further>(
  further: Selection<Further>,
  toQuery: (select: Selection<unknown>, isPacked: boolean) => NamedQuery<unknown>,
): TransactionStatement<Further> {
  return {
    packed: toQuery(selectAll(further, packedTransaction), true) as NamedQuery<Further & PackedRow>,
    whole(rewardAccountId, isCompact) {
      const inTables = transfersInTables(rewardAccountId, isCompact);
      const query = toQuery(selectAll(further, packedTransaction, inTables), false);
      return { ...query, shape: `${query.shape ?? ''}+${rewardAccountId}${isCompact ? 'c' : ''}` } as NamedQuery<
        Further & PackedRow & InTables
      >;
    },
  };
}

/** The tables of transfers are read only if a row lacks the copy of them. */
export async function selectWithTransfers<Further>(
  db: Database,
  { packed, whole }: TransactionStatement<Further>,
  { rewardAccountId, values }: Pick<TransactionPageQuery, 'rewardAccountId' | 'values'>,
): Promise<(Further & (TransactionRow | Absence))[]> {
  if (!db.lacks('transaction', 'packed_transfers')) {
    const stored = await db.query({ ...packed, values });
    if (stored.every((row) => row.consensusTimestamp === null || row.packedTransfers !== null))
      return stored.map((row) => unpacked(row, () => unpackTransfers(row.packedTransfers!)));
  }
  const stored = await db.query({ ...whole(rewardAccountId, db.isCompact), values });
  return stored.map((row) =>
    unpacked(row, () => (row.packedTransfers ? unpackTransfers(row.packedTransfers) : splitTransfers(row))),
  );
}

/** The row is changed. */
function unpacked<Row extends PackedRow>(
  row: Row,
  toTransfers: () => TransfersOfTransaction,
): Row & (TransactionRow | Absence) {
  if (row.consensusTimestamp === null) return row as Row & Absence;
  return Object.assign(row, toTransfers(), { nftTransfer: parseExactJson(row.nftTransfer) }) as Row & TransactionRow;
}

/**
 * PostgreSQL expects ten rows of an array. With tables of transfers to read for each row, a plan for a quiet account
 * would look so much cheaper than the generic plan that the statement was planned again for each account, which took as
 * long as the page.
 */
const pageOfAnySize = 'unnest(array(select consensus_timestamp from page)) page (consensus_timestamp)';

function toPageQuery(query: TransactionPageQuery, select: Selection<unknown>, page: string): NamedQuery<unknown> {
  const { name, shape, candidates, values, order, literalLimit } = query;
  const tables = `${candidates}, page as (
  select distinct consensus_timestamp from candidates order by consensus_timestamp ${order}${literalLimit === null ? '' : ` limit ${literalLimit}`}
)`;
  const from = `from (
  select page.consensus_timestamp as at from (values (1)) one left join ${page} on true order by page.consensus_timestamp ${order}
) p left join lateral (
  select ${columnsOfTransaction.sql} from transaction where consensus_timestamp = p.at limit 1
) t on true
order by p.at ${order}`;
  return selectQuery({ name, shape, tables, select, from, values });
}

export const columnsOfTransaction = selectAll(
  columns('transaction', [
    'batch_key',
    'charged_tx_fee',
    'consensus_timestamp',
    'entity_id',
    'high_volume',
    'high_volume_pricing_multiplier',
    'max_fee',
    'memo',
    'node_account_id',
    'nonce',
    'packed_transfers',
    'parent_consensus_timestamp',
    'payer_account_id',
    'result',
    'scheduled',
    'transaction_hash',
    'type',
    'valid_duration_seconds',
  ]),
  columns('transaction', {
    bytes: 'transaction_bytes',
    custom_fee_limits: 'max_custom_fees',
    inner_ids: 'inner_transactions',
    valid_start: 'valid_start_ns',
  }),
  asTexts('transaction', ['nft_transfer']),
);

const packedTransaction = columnsOf(columnsOfTransaction, 't').optional();

type PackedRow = RowOf<typeof packedTransaction>;

/**
 * The rows of the tables of transfers, if nothing is packed: those of hbar, then the rewards; those of tokens. Each row
 * is its numbers, 8 bytes each, and a byte with its kind. They are sorted here: PostgreSQL sets up a sort for each
 * transaction, of which most have a handful.
 */
function transfersInTables(rewardAccountId: bigint, isCompact: boolean) {
  return selectAll(
    expression(
      'crypto_transfers',
      'bytea',
      `case when t.packed_transfers is null then (
      select string_agg(int8send(entity_id) || int8send(amount) || boolsend(is_approval is true), ''::bytea)
        || case when bool_or(entity_id = ${rewardAccountId}) then coalesce((
          select string_agg(int8send(r.account_id) || int8send(r.amount) || '\\x02'::bytea, ''::bytea)
          from staking_reward_transfer r where r.consensus_timestamp = t.consensus_timestamp
        ), '') else '' end
      from ${storedTable('crypto_transfer', isCompact)}
      where consensus_timestamp = t.consensus_timestamp and payer_account_id = t.payer_account_id
    ) end`,
    ).nullable(),
    expression(
      'token_transfers',
      'bytea',
      `case when t.packed_transfers is null then (
      select string_agg(
        int8send(token_id) || int8send(account_id) || int8send(amount) || boolsend(is_approval is true), ''::bytea)
      from ${storedTable('token_transfer', isCompact)}
      where consensus_timestamp = t.consensus_timestamp and payer_account_id = t.payer_account_id
    ) end`,
    ).nullable(),
  );
}

const rewardKind = 2;
const transferBytes = 17;
const tokenTransferBytes = 25;

type InTables = RowOf<ReturnType<typeof transfersInTables>>;

function splitTransfers({ cryptoTransfers, tokenTransfers }: InTables): TransfersOfTransaction {
  const found: TransfersOfTransaction = { transfers: [], tokenTransfers: [], stakingRewardTransfers: [] };
  const hbar = viewOf(cryptoTransfers);
  for (let at = 0; at < hbar.byteLength; at += transferBytes) {
    const [accountId, amount, kind] = [hbar.getBigInt64(at), hbar.getBigInt64(at + 8), hbar.getUint8(at + 16)];
    if (kind === rewardKind) found.stakingRewardTransfers.push({ accountId, amount });
    else found.transfers.push({ accountId, amount, isApproval: kind === 1 });
  }
  const tokens = viewOf(tokenTransfers);
  for (let at = 0; at < tokens.byteLength; at += tokenTransferBytes) {
    found.tokenTransfers.push({
      tokenId: tokens.getBigInt64(at),
      accountId: tokens.getBigInt64(at + 8),
      amount: tokens.getBigInt64(at + 16),
      isApproval: tokens.getUint8(at + 24) === 1,
    });
  }
  sortTransfers(found);
  return found;
}

function viewOf(bytes: Buffer | null): DataView {
  return bytes ? new DataView(bytes.buffer, bytes.byteOffset, bytes.length) : nothing;
}

const nothing = new DataView(new ArrayBuffer(0));
