// A page of contract results over all contracts, with what entity, Ethereum transaction and block say of each row.
// First the page, cut early along the index of time, then one index probe for each row and table.

import type { Range } from '../../kit/range.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import type { JsonValue } from '../schema/table.ts';
import type { Database } from '../wire/database.ts';
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
import { parseExactJson } from './parse-exact-json.ts';
import { toLiteralLimit, toRangePart } from './statement-parts.ts';

/**
 * What ethereum_transaction says is null where there is none (`eth_type`), what record_file says where no block holds the
 * timestamp (`block_hash`). `function_result` is there only where sender_id is null.
 */
export type ContractResultRow = Replace<StoredRow, { access_list: JsonValue; authorization_list: JsonValue }>;

export type ContractResultsFilter = {
  sender: { equals: readonly bigint[]; others: readonly { operator: ComparisonOperator; id: bigint }[] };
  block: { number: bigint } | { hashPrefix: string } | null;
  transactionIndexes: readonly bigint[];
  internal: boolean;
  timestamp: Range;
  synthetic: boolean;
  order: 'asc' | 'desc';
  limit: number;
};

type ComparisonOperator = 'ne' | 'lt' | 'lte' | 'gt' | 'gte';

export async function selectContractResults(db: Database, filter: ContractResultsFilter): Promise<ContractResultRow[]> {
  const { order } = filter;
  const values: unknown[] = [];
  const limit = toLiteralLimit(filter.limit);
  const block = toBlockPart(filter.block, values);
  const time = toRangePart(filter.timestamp, values);
  const indexes = toIndexPart(filter.transactionIndexes, values);
  const sender = toSenderPart(filter.sender, values);
  const internal = filter.internal ? { code: 'i', sql: '' } : { code: '', sql: ' and r.transaction_nonce = 0' };
  const shared = (table: string) =>
    `${block.sql(table)}${time.sql(`${table}.consensus_timestamp`)}${indexes.sql(table)}`;

  const real = `select ${realResult.sql}, r.payer_account_id
  from contract_result r
  where r.transaction_result <> ${responseCode.WRONG_NONCE}${shared('r')}${internal.sql}${sender.sql}
  order by r.consensus_timestamp ${order} limit ${limit}`;
  const page = filter.synthetic
    ? `page as (
  select * from real
  union all
  select * from (
    select distinct on (l.consensus_timestamp) ${syntheticColumns}
    from contract_log l where l.synthetic is true${shared('l')}${reachOfRows(order, limit)}
    order by l.consensus_timestamp ${order}, l.index ${order} limit ${limit}
  ) synthetic where not exists (select from real where real.consensus_timestamp = synthetic.consensus_timestamp)
  order by consensus_timestamp ${order} limit ${limit}
)`
    : 'page as (select * from real)';

  const query = selectQuery({
    name: 'select-contract-results',
    shape: `${order}${limit}${filter.synthetic ? 's' : ''}${internal.code}-${block.code}${time.code}${indexes.code}${sender.code}`,
    tables: `${block.table}real as (
  ${real}
), ${page}`,
    select: storedRow,
    from: `from page
left join lateral (select ${entityOfResult.sql} from entity where id = page.contract_id limit 1) e on true
left join lateral (
  select ${ethereumOfResult.sql}
  from ethereum_transaction
  where consensus_timestamp = page.consensus_timestamp and payer_account_id = page.payer_account_id limit 1
) t on true
left join lateral (
  select consensus_start, ${blockOfResult.sql}
  from record_file where consensus_end >= page.consensus_timestamp order by consensus_end limit 1
) b on b.consensus_start <= page.consensus_timestamp
order by page.consensus_timestamp ${order}`,
    values,
  });
  const rows = await db.query(query);
  return rows.slice(0, filter.limit).map(toContractResultRow);
}

/** Where the rows alone fill the page, synthetic ones beyond its end are not looked for. */
function reachOfRows(order: 'asc' | 'desc', limit: number): string {
  const [operator, end, open] = order === 'desc' ? ['>=', 'min', '0'] : ['<=', 'max', '9223372036854775807'];
  return `
      and l.consensus_timestamp ${operator} coalesce(
        (select ${end}(consensus_timestamp) from real having count(*) = ${limit}), ${open})`;
}

const realResult = selectAll(
  columns(
    'contract_result',
    [
      'amount',
      'bloom',
      'call_result',
      'consensus_timestamp',
      'contract_id',
      'created_contract_ids',
      'error_message',
      'failed_initcode',
      'function_parameters',
      'gas_consumed',
      'gas_limit',
      'gas_used',
      'sender_id',
      'transaction_hash',
      'transaction_index',
      'transaction_result',
    ],
    'r',
  ),
  expression('function_result', 'bytea', 'case when r.sender_id is null then r.function_result end').nullable(),
);

// In the order of realResult, then the payer. Empty is not zero: bloom and call result of a synthetic row are
// said to be nothing, so they are null here.
const syntheticColumns = `null::int8 as amount, null::bytea as bloom, null::bytea as call_result, l.consensus_timestamp,
      coalesce(l.root_contract_id, l.contract_id) as contract_id, null::int8[] as created_contract_ids,
      null::text as error_message, null::bytea as failed_initcode, ''::bytea as function_parameters,
      null::int8 as gas_consumed, 0::int8 as gas_limit, null::int8 as gas_used, l.payer_account_id as sender_id,
      l.transaction_hash, l.transaction_index, ${responseCode.SUCCESS}::int2 as transaction_result,
      null::bytea as function_result, l.payer_account_id`;

const entityOfResult = columns('entity', ['evm_address']);
const ethereumOfResult = selectAll(
  columns('ethereum_transaction', { eth_type: 'type' }),
  asTexts('ethereum_transaction', ['access_list', 'authorization_list']),
  columns('ethereum_transaction', [
    'chain_id',
    'gas_price',
    'max_fee_per_gas',
    'max_priority_fee_per_gas',
    'nonce',
    'recovery_id',
    'signature_r',
    'signature_s',
    'signature_v',
    'to_address',
    'value',
  ]),
);
const blockOfResult = columns('record_file', {
  block_hash: 'hash',
  block_number: 'index',
  block_gas_used: 'gas_used',
});

const storedRow = selectAll(
  columnsOf(realResult, 'page'),
  columnsOf(entityOfResult, 'e').optional(),
  columnsOf(ethereumOfResult, 't').optional(),
  columnsOf(blockOfResult, 'b').optional(),
);
type StoredRow = RowOf<typeof storedRow>;

function toContractResultRow(row: StoredRow): ContractResultRow {
  return Object.assign(row, {
    access_list: parseExactJson(row.access_list),
    authorization_list: parseExactJson(row.authorization_list),
  });
}

// The block is found first; its bounds then work like given timestamps. A prefix as a range of texts, because the
// pattern of `like $1` is unknown when the plan is made: hashes are hexadecimal, so "g" follows every one of them.
function toBlockPart(block: ContractResultsFilter['block'], values: unknown[]) {
  if (!block) return { code: '', table: '', sql: () => '' };
  const byNumber = 'number' in block;
  values.push(byNumber ? block.number : block.hashPrefix);
  const parameter = `$${values.length}`;
  const condition = byNumber
    ? `index = ${parameter}`
    : `hash collate "C" >= ${parameter} and hash collate "C" < ${parameter} || 'g'`;
  return {
    code: byNumber ? 'b' : 'h',
    table: `block as materialized (
  select consensus_start, consensus_end from record_file where ${condition} limit 1
), `,
    sql: (table: string) => ` and ${table}.consensus_timestamp >= (select consensus_start from block)
    and ${table}.consensus_timestamp <= (select consensus_end from block)`,
  };
}

function toIndexPart(indexes: readonly bigint[], values: unknown[]) {
  if (indexes.length === 0) return { code: '', sql: () => '' };
  values.push(indexes);
  const parameter = `$${values.length}::int8[]`;
  return { code: 'x', sql: (table: string) => ` and ${table}.transaction_index = any(${parameter})` };
}

const operatorSql = { ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

function toSenderPart(sender: ContractResultsFilter['sender'], values: unknown[]): { code: string; sql: string } {
  let sql = '';
  let code = '';
  if (sender.equals.length === 1) {
    values.push(sender.equals[0]);
    sql += ` and r.sender_id = $${values.length}`;
    code += 'S';
  } else if (sender.equals.length > 1) {
    values.push(sender.equals);
    sql += ` and r.sender_id = any($${values.length})`;
    code += 'A';
  }
  // Every bound counts, so only the number of parameters of each operator shapes the text; equal operators are folded.
  for (const operator of ['ne', 'lt', 'lte', 'gt', 'gte'] as const) {
    const ids = sender.others.filter((condition) => condition.operator === operator).map((condition) => condition.id);
    if (ids.length === 0) continue;
    values.push(ids);
    sql += ` and r.sender_id ${operatorSql[operator]} all($${values.length})`;
    code += `-${operator}`;
  }
  return { code, sql };
}
