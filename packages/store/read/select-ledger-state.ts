// The progress of the mirror: whether it has begun, its oldest transaction, and example ids that exist now.

import type { Database } from '../../postgres/wire/database.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { addFound } from './distributed/look-up.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** An address book, without which record files are not imported, or a block of a block stream, which needs none. */
export async function selectHasBegun(db: Database): Promise<boolean> {
  const query = selectQuery({
    name: 'select-has-begun',
    // By their keys: a table may hold many dead rows before the first live one.
    select: expression(
      'found',
      'bool',
      `(select start_consensus_timestamp from address_book order by 1 desc limit 1) is not null
  or coalesce((select version >= 7 from record_file order by consensus_end desc limit 1), false)`,
    ),
  });
  return (await db.query(query))[0]?.found === true;
}

export async function selectFirstTransactionTimestamp(db: Database): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-first-transaction-timestamp',
    select: columns('transaction', ['consensus_timestamp']),
    from: 'from transaction order by consensus_timestamp limit 1',
  });
  return found?.consensusTimestamp ?? null;
}

export type ExamplesRow = RowOf<typeof examples>;

const resultOfExample = columns(
  'contract_result',
  { result_contract_id: 'contract_id', result_time: 'consensus_timestamp' },
  'r',
);
const executionOfExample = columns(
  'transaction',
  { result_payer_id: 'payer_account_id', result_valid_start: 'valid_start_ns' },
  't',
);
const restOfExamples = selectAll(
  expression(
    'token_id',
    'int8',
    `(select t.token_id from token t
    where exists (select from custom_fee f where f.entity_id = t.token_id)
      and exists (select from entity e where e.id = t.token_id)
    order by t.token_id desc limit 1)`,
  ).nullable(),
  expression(
    'account_id',
    'int8',
    `(select t.payer_account_id from transaction t
    where exists (select from entity e where e.id = t.payer_account_id and e.type in ('ACCOUNT', 'CONTRACT'))
    order by t.consensus_timestamp desc limit 1)`,
  ).nullable(),
  expression(
    'contract_id',
    'int8',
    "(select e.id from entity e where e.type = 'CONTRACT' order by e.type desc, e.id desc limit 1)",
  ).nullable(),
  expression(
    'schedule_id',
    'int8',
    '(select s.schedule_id from schedule s order by s.schedule_id desc limit 1)',
  ).nullable(),
  expression(
    'topic_id',
    'int8',
    `(select t.id from topic t
    where exists (select from custom_fee f where f.entity_id = t.id) and exists (select from entity e where e.id = t.id)
    order by t.id desc limit 1)`,
  ).nullable(),
  columns('record_file', { block_number: 'index', block_end: 'consensus_end' }, 'b').nullable(),
  columns('nft', { nft_token_id: 'token_id', nft_serial: 'serial_number' }, 'n').nullable(),
  columns(
    'topic_message',
    { message_topic_id: 'topic_id', message_number: 'sequence_number', message_time: 'consensus_timestamp' },
    'm',
  ).nullable(),
  columns('transaction', { payer_id: 'payer_account_id', valid_start: 'valid_start_ns' }, 't').nullable(),
  columns('hook', { hook_owner_id: 'owner_id', hook_id: 'hook_id' }, 'h').nullable(),
);
const examples = selectAll(
  restOfExamples,
  resultOfExample.nullable(),
  columns('transaction', { result_payer_id: 'payer_account_id', result_valid_start: 'valid_start_ns' }, 'r').nullable(),
);

/** Newest of each kind, each found from the end of an index. */
export async function selectExamples(db: Database): Promise<ExamplesRow> {
  if (db.isDistributed) {
    const [[rest], result] = await Promise.all([
      db.query(selectQuery({ name: 'select-most-examples', select: restOfExamples, from: fromRest })),
      findExampleOfResult(db),
    ]);
    return { ...rest!, ...result };
  }
  return (await selectOne(db, {
    name: 'select-examples',
    select: examples,
    from: `${fromRest}
left join (
  select r.contract_id, r.consensus_timestamp, t.payer_account_id, t.valid_start_ns
  from contract_result r
  join transaction t on t.consensus_timestamp = r.consensus_timestamp
  where r.transaction_nonce = 0 and t.result = ${responseCode.SUCCESS} and exists (select from entity e where e.id = r.contract_id)
  order by r.consensus_timestamp desc limit 1
) r on true`,
  }))!;
}

const fromRest = `from (values (1)) one
left join (select index, consensus_end from record_file order by consensus_end desc limit 1) b on true
left join (select token_id, serial_number from nft order by token_id desc, serial_number desc limit 1) n on true
left join (
  select topic_id, sequence_number, consensus_timestamp from topic_message order by consensus_timestamp desc limit 1
) m on true
left join (
  select payer_account_id, valid_start_ns from transaction where nonce = 0 order by consensus_timestamp desc limit 1
) t on true
left join (select owner_id, hook_id from hook order by owner_id desc, hook_id desc limit 1) h on true`;

/** In a distributed database result and transaction lie on different machines: one of the newest successful results. */
async function findExampleOfResult(db: Database) {
  const newest = selectQuery({
    name: 'select-newest-results',
    select: resultOfExample,
    from: `from contract_result r
where r.transaction_nonce = 0 and exists (select 1 from entity e where e.id = r.contract_id)
order by r.consensus_timestamp desc limit 25`,
  });
  const found = await addFound(db, await db.query(newest), {
    name: 'find-executions',
    select: executionOfExample,
    keys: [['consensus_timestamp', (row) => row.resultTime]],
    table: `(select * from transaction where result = ${responseCode.SUCCESS}) t`,
  });
  const none = { resultContractId: null, resultTime: null, resultPayerId: null, resultValidStart: null };
  return found.find((row) => row.resultPayerId !== null) ?? none;
}
