// What exports consist of: every table with its columns, the order in which foreign keys allow to fill them, which
// column has the time of its files of months, and which of its rows are state. Follows from the descriptions of the
// tables.
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { contractTokenTables, tokenTotalTables } from '../../schema/contract-token-tables.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import type { DescribedColumn, DescribedTable, Table } from '../../schema/table.ts';
import { allTables, tables } from '../../schema/tables.ts';
import { verificationTables } from '../../schema/verification-tables.ts';

export type TransferTable = {
  name: string;
  columns: Readonly<Record<string, DescribedColumn & { own?: boolean }>>;
  /** Not in the Hiero mirror node. */
  isOwn: boolean;
  /** Of the ledger, and not of the database or of contract checks. */
  isLedger: boolean;
  /** Rows of a month are a file: the column with their time, ns. null = one file. */
  monthBy: string | null;
  /** In partitions of years, by that column. */
  isPartitioned: boolean;
  /** Tables of a stage may be filled at the same time, after those of earlier ones. */
  stage: number;
  /** A row may have so many bytes, whatever the others may; null = no more than the others. */
  longRowBytes: number | null;
  /**
   * SQL, of rows of single moments and of ended versions: the last moment that a row is about, ns. null = a row stays
   * true.
   */
  past: string | null;
  state: StateRows;
};

/** Which rows say how things are. */
export type StateRows =
  | { kind: 'all' }
  | { kind: 'none' }
  /** Those of the last block. */
  | { kind: 'last'; by: string }
  /** So many. */
  | { kind: 'latest'; by: string; rows: number }
  /** The newest of each key. */
  | { kind: 'newest'; by: string; key: readonly string[] }
  /** The parts of the current version of each file. */
  | { kind: 'contents' };

/** About one database, or this transfer itself; what is said of tokens is summed up again. */
const notTransferred = new Set([
  ...Object.keys(contractTokenTables),
  ...Object.keys(tokenTotalTables),
  'ledger_mirror_schema',
  'importer_state',
  'postponed_index',
  'bootstrap_run',
  'bootstrap_file',
  'bootstrap_check',
  'bootstrap_progress',
]);

/** Compressed files of the stream, of up to 99 MB in 2026 and not smaller for it: two digits a byte. */
const longRows: Readonly<Record<string, number>> = { kept_stream_file: 256 * 2 ** 20 };

/** Files of months although the table is not partitioned: of them a state needs the last row only. */
const inMonths: Readonly<Record<string, string>> = { record_file: 'consensus_end', sidecar_file: 'consensus_end' };

export const transferTables: ReadonlyMap<string, TransferTable> = new Map(
  Object.entries(allTables)
    .filter(([name]) => !notTransferred.has(name))
    .flatMap(([name, table]) => describe(name, table))
    .map((table) => [table.name, table]),
);

function describe(name: string, table: DescribedTable): TransferTable[] {
  const isLedger = Object.hasOwn(tables, name);
  const { columns } = table;
  const { kind, own = false, partitionBy } = table as Table;
  const stage = 1 + Object.keys(verificationTables).indexOf(name);
  const isOwn = own || !isLedger;
  const described = {
    name,
    columns,
    isOwn,
    isLedger,
    stage,
    monthBy: partitionBy ?? inMonths[name] ?? null,
    longRowBytes: longRows[name] ?? null,
    isPartitioned: partitionBy !== undefined,
  };
  const current: TransferTable = {
    ...described,
    ...(isLedger ? rowsOf(name, table as Table) : { past: null, state: { kind: 'all' } }),
  };
  if (kind !== 'versioned') return [current];
  const history = { ...described, name: `${name}_history`, monthBy: null, isPartitioned: false };
  return [current, { ...history, past: 'upper(timestamp_range) - 1', state: { kind: 'none' } }];
}

function rowsOf(name: string, { past }: Table): Pick<TransferTable, 'past' | 'state'> {
  // The tree over the roots of blocks is stored at intervals: those after it continue it (cut-blocks.ts drops them
  // then).
  if (name === 'record_file') {
    return { past: 'consensus_end', state: { kind: 'latest', by: 'consensus_end', rows: 2 * 65_536 } };
  }
  if (name === 'file_data') return { past: null, state: { kind: 'contents' } };
  if (name === 'account_balance_file') return { past: null, state: { kind: 'last', by: 'consensus_timestamp' } };
  if (typeof past === 'string') return { past: null, state: { kind: 'all' } };
  if ('snapshotOf' in past) {
    const by = 'consensus_timestamp';
    return { past: by, state: { kind: 'newest', by, key: past.snapshotOf } };
  }
  if ('changeOf' in past) return { past: 'consensus_timestamp', state: { kind: 'none' } };
  const isOfBlock = past.moment === 'consensus_end' && name !== 'sidecar_file' && name !== 'kept_stream_file';
  return { past: past.moment, state: isOfBlock ? { kind: 'last', by: past.moment } : { kind: 'none' } };
}

/** Which rows of a table, or of one file of it, are transferred. `since`: ns. */
export type RowChoice = { kind: 'all' } | { kind: 'state' } | { kind: 'since'; since: bigint };

/** SQL that selects them from a relation with these columns; null = all of its rows. */
export function chooseRows(
  { name, state, past }: TransferTable,
  choice: RowChoice,
  from: string,
  columns: readonly string[],
): string | null {
  if (choice.kind === 'all' || (choice.kind === 'since' && past === null)) return null;
  const list = quoteNames(columns);
  if (choice.kind === 'since') {
    const since = `select ${list} from ${from} where ${past} >= ${choice.since}`;
    if (state.kind !== 'latest') return since;
    return `${since} or ${past} >= (select min(${past}) from (${latest(state, past!, from)}) l)`;
  }
  switch (state.kind) {
    case 'all':
      return null;
    case 'none':
      return `select ${list} from ${from} where false`;
    case 'last':
      return `select ${list} from ${from} where ${quoteName(state.by)} = (select max(${quoteName(state.by)}) from ${from})`;
    case 'latest':
      return latest(state, list, from);
    case 'newest':
      return `select distinct on (${quoteNames(state.key)}) ${list} from ${from} order by ${quoteNames(state.key)}, ${quoteName(state.by)} desc`;
    case 'contents':
      return contentsOf(list, from);
    default:
      throw new Error(`Nothing says which rows of ${name} are state`);
  }
}

function latest({ by, rows }: { by: string; rows: number }, list: string, from: string): string {
  return `select ${list} from ${from} order by ${quoteName(by)} desc limit ${rows}`;
}

/** Of each file what was written since it was created, or replaced. */
function contentsOf(list: string, from: string): string {
  const begins = `transaction_type = ${typeNumber.fileCreate} or (transaction_type = ${typeNumber.fileUpdate} and length(file_data) <> 0)`;
  return `select ${list} from (
  select *, max(consensus_timestamp) filter (where ${begins}) over (partition by entity_id) as begun from ${from}
) d where begun is null or consensus_timestamp >= begun`;
}
