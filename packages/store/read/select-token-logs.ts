// Logs of transfers of tokens that contracts keep, in the order in which they happened.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

/** More of its data is not read; a transfer of 32 bytes has two words, one of many units two a unit. */
const maxLogBytes = 32_768;

const tokenLog = selectAll(
  columns('contract_log', ['consensus_timestamp', 'contract_id', 'topic1', 'topic2', 'topic3']),
  columns('contract_log', ['topic0']).present(),
  expression('data', 'bytea', `case when octet_length(data) <= ${maxLogBytes} then data end`).nullable(),
);

/** Topics without leading zeros; `data`: null = it is too long. */
export type TokenLog = RowOf<typeof tokenLog>;

/** The time of the last of the `count` logs after a time; null = there is none. */
export async function selectEndOfLogs(db: Database, after: bigint, count: number): Promise<bigint | null> {
  const select = expression('end', 'int8', 'max(consensus_timestamp)').nullable();
  const next = `select consensus_timestamp from contract_log where consensus_timestamp > $1
  order by consensus_timestamp limit $2`;
  const query = selectQuery({
    name: 'select-end-of-logs',
    select,
    from: `from (${next}) next`,
    values: [after, count],
  });
  return (await db.query(query))[0]?.end ?? null;
}

/** `topics`: of which each has one as its first. Those of the token service are left out as far as a log says so. */
export function selectTokenLogs(
  db: Database,
  { after, until, topics }: { after: bigint; until: bigint; topics: readonly Buffer[] },
): Promise<TokenLog[]> {
  return db.query(
    selectQuery({
      name: 'select-token-logs',
      select: tokenLog,
      from: `from contract_log where consensus_timestamp > $1 and consensus_timestamp <= $2 and synthetic is not true
and topic0 = any($3::bytea[]) order by consensus_timestamp, index`,
      values: [after, until, topics],
    }),
  );
}

type OfContract = { contractId: bigint; after: bigint; until: bigint };

/** Of one contract: the time of the log that follows `count` - 1 others; null = there are not so many. */
export async function selectEndOfContractLogs(
  db: Database,
  { contractId, after, until, count }: OfContract & { count: number },
): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-end-of-contract-logs',
    select: columns('contract_log', ['consensus_timestamp']),
    from: `from contract_log where contract_id = $1 and consensus_timestamp > $2 and consensus_timestamp <= $3
order by consensus_timestamp offset $4 limit 1`,
    values: [contractId, after, until, count - 1],
  });
  return found?.consensusTimestamp ?? null;
}

/** Of one contract, by `topics` as above; with `newest` only those among so many of its newest logs. */
export function selectContractTokenLogs(
  db: Database,
  { contractId, after, until, topics, newest }: OfContract & { topics: readonly Buffer[]; newest?: number },
): Promise<TokenLog[]> {
  const logs = `contract_log where contract_id = $1 and consensus_timestamp > $2 and consensus_timestamp <= $3`;
  const from =
    newest === undefined
      ? `${logs} and`
      : `(select * from ${logs} order by consensus_timestamp desc, index limit $5) l where`;
  return db.query(
    selectQuery({
      name: 'select-contract-token-logs',
      shape: newest === undefined ? '' : 'newest',
      select: tokenLog,
      from: `from ${from} synthetic is not true and topic0 = any($4::bytea[]) order by consensus_timestamp, index`,
      values: [contractId, after, until, topics, ...(newest === undefined ? [] : [newest])],
    }),
  );
}
