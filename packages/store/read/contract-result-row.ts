// The columns of a contract result, and of its entity, Ethereum transaction and block.
import type { JsonValue } from '../../postgres/wire/values.ts';
import { foundBy, type Joined, joinAll } from './joined.ts';
import { parseExactJson } from './parse-exact-json.ts';
import {
  type Absent,
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

/**
 * Columns of ethereum_transaction are null if there is none (`ethType`), those of record_file if no block holds the
 * timestamp (`blockHash`). `functionResult` is read only if senderId is null.
 */
export type ContractResultRow = WithLists<RowOf<typeof listedResult>>;

export type AccessListItem = { address: string; storage_keys: string[] };
/** As stored, members in stored order: `y_parity` is hex text, or a number in rows of older importers. */
export type AuthorizationListItem = Readonly<Record<string, JsonValue>>;

export type WithLists<Row> = Replace<
  Row,
  { accessList: AccessListItem[] | null; authorizationList: AuthorizationListItem[] | null }
>;

/** Of contract_result as `r`. */
const resultColumns = selectAll(
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

/**
 * The same with the payer, by which its Ethereum transaction is found. `synthetic`: nothing ran, only logs tell of it
 * (synthetic-result.ts).
 */
export const pagedResult = selectAll(
  resultColumns,
  columns('contract_result', ['payer_account_id'], 'r'),
  expression('synthetic', 'bool', 'false'),
);

const address = columns('entity', ['evm_address']);
/** The address of the contract. */
export const entityOfResult = foundBy({
  name: 'find-entities',
  table: 'entity',
  alias: 'e',
  select: address,
  keys: { id: 'contract_id' },
});
/** The same as a scalar query; `id` is SQL. */
export function addressOfEntity(id: string) {
  return expression('evm_address', 'bytea', `(select evm_address from entity where id = ${id} limit 1)`).nullable();
}
/** The same for a single contract, as `$1`: looked up once for all rows. */
export const entityOfOne: Joined<RowOf<typeof address>> = { select: addressOfEntity('$1'), sql: '' };

/** The transaction's parent, if it has one. */
export const parentOfResult = foundBy({
  name: 'find-parents',
  table: 'transaction',
  alias: 'child',
  select: columns('transaction', ['parent_consensus_timestamp']),
  keys: { payer_account_id: 'payer_account_id', consensus_timestamp: 'consensus_timestamp' },
});

export const ethereumColumns = selectAll(
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

/** `bounds`: see `foundBy`. */
export function ethereumOfResult<Found extends object>(name: string, select: Selection<Found>, bounds = '') {
  const keys = { payer_account_id: 'payer_account_id', consensus_timestamp: 'consensus_timestamp' };
  return foundBy({ name, table: 'ethereum_transaction', alias: 't', select, keys, bounds });
}

const blockColumns = columns('record_file', {
  block_hash: 'hash',
  block_number: 'index',
  block_gas_used: 'gas_used',
  block_start: 'consensus_start',
});
type FoundBlock = RowOf<typeof blockColumns>;

/** SQL: the block that holds a consensus timestamp as `b`. */
function joinBlock(timestamp: string): string {
  return `left join lateral (
  select consensus_start, ${blockColumns.sql}
  from record_file where consensus_end >= ${timestamp} order by consensus_end limit 1
) b on b.consensus_start <= ${timestamp}`;
}

/** The block that contains it. In a distributed database every machine has all blocks. */
export const blockOfResult: Joined<FoundBlock | Absent<FoundBlock>> = {
  select: columnsOf(blockColumns, 'b').optional(),
  sql: joinBlock('page.consensus_timestamp'),
  async add(db, rows) {
    const results = rows as { consensusTimestamp: bigint }[];
    const query = selectQuery({
      name: 'find-blocks',
      select: selectAll(expression('at', 'int8', 'page.at'), columnsOf(blockColumns, 'b').optional()),
      from: `from unnest($1::int8[]) as page (at)\n${joinBlock('page.at')}`,
      values: [[...new Set(results.map((row) => row.consensusTimestamp))]],
    });
    const blocks = new Map((await db.query(query)).map(({ at, ...block }) => [at, block]));
    for (const row of results) Object.assign(row, blocks.get(row.consensusTimestamp));
  },
};

export const restOfResult = joinAll(
  entityOfResult,
  ethereumOfResult('find-ethereum', ethereumColumns),
  blockOfResult,
  parentOfResult,
);
const listedResult = selectAll(columnsOf(pagedResult, 'page'), restOfResult.select);

/** The row is changed. */
export function withParsedLists<Row extends { accessList: string | null; authorizationList: string | null }>(
  row: Row,
): WithLists<Row> {
  return Object.assign(row, {
    accessList: parseExactJson(row.accessList),
    authorizationList: parseExactJson(row.authorizationList),
  }) as unknown as WithLists<Row>;
}
