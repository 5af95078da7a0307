// What is read of a contract result, and what entity, Ethereum transaction and block say of it: one index probe for each
// row and table.
import type { JsonValue } from '../schema/table.ts';
import {
  asTexts,
  columns,
  columnsOf,
  expression,
  type Replace,
  type RowOf,
  type Selection,
  selectAll,
} from './columns.ts';
import { parseExactJson } from './parse-exact-json.ts';

/**
 * What ethereum_transaction says is null where there is none (`eth_type`), what record_file says where no block holds the
 * timestamp (`block_hash`). `function_result` is there only where sender_id is null.
 */
export type ContractResultRow = WithJson<RowOf<typeof storedResult>>;

type WithJson<Row> = Replace<Row, { accessList: JsonValue; authorizationList: JsonValue }>;

/** Of contract_result as `r`. */
export const resultColumns = selectAll(
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

/** The address of the contract, from entity. */
export const entityOfResult = columns('entity', ['evm_address']);

export const ethereumOfResult = selectAll(
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

export const blockOfResult = columns('record_file', {
  block_hash: 'hash',
  block_number: 'index',
  block_gas_used: 'gas_used',
});

/** Of `page` and what `joinToResults` adds. */
export const storedResult = selectAll(
  columnsOf(resultColumns, 'page'),
  columnsOf(entityOfResult, 'e').optional(),
  columnsOf(ethereumOfResult, 't').optional(),
  columnsOf(blockOfResult, 'b').optional(),
);

/** SQL after `from page`, which has `resultColumns` and payer_account_id. */
export function joinToResults(ethereum: Selection<unknown> = ethereumOfResult): string {
  return `${joinEntity('page.contract_id')}
left join lateral (
  select ${ethereum.sql}
  from ethereum_transaction
  where consensus_timestamp = page.consensus_timestamp and payer_account_id = page.payer_account_id limit 1
) t on true
${joinBlock('page.consensus_timestamp')}`;
}

/** SQL: the address of an entity as `e`. */
export function joinEntity(id: string): string {
  return `left join lateral (select ${entityOfResult.sql} from entity where id = ${id} limit 1) e on true`;
}

/** SQL: the block that holds a consensus timestamp as `b`. */
export function joinBlock(timestamp: string): string {
  return `left join lateral (
  select consensus_start, ${blockOfResult.sql}
  from record_file where consensus_end >= ${timestamp} order by consensus_end limit 1
) b on b.consensus_start <= ${timestamp}`;
}

export function withParsedLists<Row extends { accessList: string | null; authorizationList: string | null }>(
  row: Row,
): WithJson<Row> {
  return Object.assign(row, {
    accessList: parseExactJson(row.accessList),
    authorizationList: parseExactJson(row.authorizationList),
  }) as unknown as WithJson<Row>;
}
