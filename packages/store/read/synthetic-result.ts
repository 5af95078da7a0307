// Contract results that no execution left: a transaction outside of contracts whose token transfers and approvals have
// synthetic logs. The first of its logs stands for it.

import type { Database } from '../../postgres/wire/database.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import { pagedResult } from './contract-result-row.ts';
import { expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/**
 * SQL: whether a log makes a result. On a database of the mirror node there are also logs of serial number −1, for all
 * NFTs of a treasury that was changed: they are no events of any NFT, and shown nowhere.
 */
export function isSynthetic(log: string): string {
  return `${log}.synthetic is true and ${isShown(log)}`;
}

const transferTopic = `'\\xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'::bytea`;
const everySerialNumber = `'\\xffffffffffffffff'::bytea`;

/** SQL: whether a log is one of those that are shown. */
export function isShown(log: string): string {
  return `(${log}.topic3 is distinct from ${everySerialNumber} or ${log}.synthetic is not true
    or ${log}.topic0 is distinct from ${transferTopic})`;
}

/** SQL: whether nothing ran at the time of a log, so that no other result is in its place. */
export function hasNoExecution(log: string): string {
  return `(select 1 from contract_result ran where ran.consensus_timestamp = ${log}.consensus_timestamp limit 1) is null`;
}

/** SQL: whether no log before it stands for its transaction. */
export function isFirstOfTransaction(log: string): string {
  return `(select 1 from contract_log before where before.consensus_timestamp = ${log}.consensus_timestamp
    and before.index < ${log}.index and ${isSynthetic('before')} limit 1) is null`;
}

/** SQL: whether an id, as `$n`, is of the contract of a log, of the one called, or of the payer. */
export function isParty(log: string, id: string): string {
  return `(${log}.contract_id = ${id} or ${log}.root_contract_id = ${id} or ${log}.payer_account_id = ${id})`;
}

/** SQL: the contract of its result. */
export function contractOf(log: string): string {
  return `coalesce(${log}.root_contract_id, ${log}.contract_id)`;
}

/**
 * SQL: the columns of `pagedResult` in their order, of contract_log as `l`. Empty is not zero: bloom and call result of
 * a synthetic row are defined as absent, so they are null here.
 */
const syntheticColumns = `null::int8 as amount, null::bytea as bloom, null::bytea as call_result, l.consensus_timestamp,
      ${contractOf('l')} as contract_id, null::int8[] as created_contract_ids,
      null::text as error_message, null::bytea as failed_initcode, ''::bytea as function_parameters,
      null::int8 as gas_consumed, 0::int8 as gas_limit, null::int8 as gas_used, l.payer_account_id as sender_id,
      l.transaction_hash, l.transaction_index, ${responseCode.SUCCESS}::int2 as transaction_result,
      null::bytea as function_result, l.payer_account_id, true as synthetic`;
export const syntheticResult: typeof pagedResult = { ...pagedResult, sql: syntheticColumns };

const momentOfLog = expression('at', 'int8', 'l.consensus_timestamp');

/**
 * In a distributed database: of transactions with a hash the newest that has a synthetic result. `hash`: its first 32
 * bytes.
 */
export async function selectSyntheticTime(db: Database, hash: Buffer): Promise<bigint | null> {
  const times = selectQuery({
    name: 'select-times-of-hash',
    select: expression('at', 'int8', 'consensus_timestamp'),
    from: 'from transaction_hash where hash = $1 order by consensus_timestamp desc limit 100',
    values: [hash],
  });
  const moments = (await db.query(times)).map(({ at }) => at);
  if (moments.length === 0) return null;
  const query = selectQuery({
    name: 'select-synthetic-time',
    select: momentOfLog,
    from: `from contract_log l where l.consensus_timestamp = any($1::int8[]) and ${isSynthetic('l')}
order by l.consensus_timestamp desc limit 1`,
    values: [moments],
  });
  return (await db.query(query))[0]?.at ?? null;
}

/** In a distributed database: of these moments those at which something ran. */
export async function selectExecutedTimes(db: Database, moments: readonly bigint[]): Promise<Set<bigint>> {
  const query = selectQuery({
    name: 'select-executed-times',
    select: expression('at', 'int8', 'r.consensus_timestamp'),
    from: 'from contract_result r where r.consensus_timestamp = any($1::int8[])',
    values: [moments],
  });
  return new Set((await db.query(query)).map(({ at }) => at));
}

/** In a distributed database: the contract of the log that stands for the transaction, by time. */
export async function selectSyntheticContracts(db: Database, moments: readonly bigint[]): Promise<Map<bigint, bigint>> {
  const query = selectQuery({
    name: 'select-synthetic-contracts',
    distinctOn: 'l.consensus_timestamp',
    select: selectAll(momentOfLog, expression('contract_id', 'int8', contractOf('l'))),
    from: `from contract_log l where l.consensus_timestamp = any($1::int8[]) and ${isSynthetic('l')}
order by l.consensus_timestamp, l.index`,
    values: [moments],
  });
  return new Map((await db.query(query)).map(({ at, contractId }) => [at, contractId]));
}

/** In a distributed database: the synthetic result of this time; `party`: null = of anybody. */
export async function selectSyntheticAt(
  db: Database,
  timestamp: bigint,
  party: bigint | null,
): Promise<RowOf<typeof pagedResult>[]> {
  const first = selectQuery({
    name: 'select-synthetic-at',
    select: syntheticResult,
    from: `from contract_log l where l.consensus_timestamp = $1 and ${isSynthetic('l')} order by l.index limit 1`,
    values: [timestamp],
  });
  const found = await db.query(first);
  if (found.length === 0 || party === null) return found;
  const parties = selectQuery({
    name: 'select-synthetic-party',
    select: momentOfLog,
    from: `from contract_log l where l.consensus_timestamp = $1 and ${isSynthetic('l')} and ${isParty('l', '$2')} limit 1`,
    values: [timestamp, party],
  });
  return (await db.query(parties)).length > 0 ? found : [];
}
