// Tables about the database itself, which the Hiero schema does not have: no answer about the ledger is read from them.
import { byId, local } from './facts.ts';
import type { DescribedTable } from './table.ts';

/** Of the only row. */
const onlyRow = { type: 'int2', required: true, sql: 'check (id = 1)' } as const;

export const ownTables = {
  /** A row for each version of the schema. */
  ledger_mirror_schema: {
    key: ['version'],
    placement: local('read before anything else is known of the database'),
    answers: 'none',
    columns: {
      version: { type: 'int4', required: true },
      name: { type: 'text', required: true },
      installed_at: { type: 'timestamptz', required: true, default: 'now()' },
    },
  },
  /** The importer's last report, for processes that answer beside it; there is one importer at a time. */
  importer_state: {
    key: ['id'],
    placement: local('one row, written every few seconds'),
    answers: 'none',
    columns: {
      id: onlyRow,
      seen_at: { type: 'timestamptz', required: true },
      is_ended: { type: 'bool', required: true },
      newest_file: { type: 'int8' },
      rejected_permille: { type: 'int8', required: true },
      block_ms: { type: 'int8', required: true },
      missing_ms: { type: 'int8', required: true },
      missing: { type: 'text' },
      source_problem: { type: 'text' },
      write_problem: { type: 'text' },
      halted_file: { type: 'text' },
      halted_reason: { type: 'text' },
    },
  },
  /** The network that the database was filled for. */
  mirrored_network: {
    key: ['id'],
    placement: local('one row'),
    answers: 'none',
    columns: {
      id: onlyRow,
      name: { type: 'text' },
      chain_id: { type: 'int8' },
      shard: { type: 'int8' },
      realm: { type: 'int8' },
    },
  },
  /** Which part of the ledger the database holds. */
  mirror_extent: {
    key: ['id'],
    placement: local('one row'),
    answers: 'none',
    columns: {
      id: onlyRow,
      begun_at: { type: 'text', required: true },
      included: { type: 'text' },
      excluded: { type: 'text' },
      kept_from: { type: 'int8' },
      knows_beginning: { type: 'bool' },
    },
  },
  /** Indexes that a bulk import has postponed and that are still to be made. */
  postponed_index: {
    key: ['definition'],
    placement: local('about the tables of the coordinator'),
    answers: 'none',
    columns: {
      /** The statement that makes it, in PostgreSQL's own words. */
      definition: { type: 'text', required: true },
    },
  },
  /** Work over whole tables that a block started and that continues in ranges between later blocks. */
  ledger_scan: {
    key: ['kind'],
    placement: local('read and written by the import alone'),
    answers: 'none',
    columns: {
      kind: { type: 'text', required: true },
      /** It shows the ledger at this moment. */
      consensus_timestamp: { type: 'int8', required: true },
      /** The treasury, or the account that pays the rewards. */
      account_id: { type: 'int8', required: true },
      /** The current table, and its last id that is done. */
      phase: { type: 'int2', required: true, default: '0' },
      position: { type: 'int8' },
      previous_timestamp: { type: 'int8' },
      is_whole: { type: 'bool' },
      name: { type: 'text' },
      /** Of the treasury, whose row is written last. */
      balance: { type: 'int8' },
      /** Of account_balance so far. */
      row_count: { type: 'int8', required: true, default: '0' },
    },
  },
  /** Accounts that take part in a staking period, as of its end, while rewards are computed. */
  stake_at_period_end: {
    key: ['id'],
    placement: byId('id', 'of the account'),
    answers: 'none',
    columns: {
      id: { type: 'int8', required: true },
      decline_reward: { type: 'bool', required: true },
      staked_account_id: { type: 'int8', required: true },
      staked_node_id: { type: 'int8', required: true },
      stake_period_start: { type: 'int8', required: true },
      balance: { type: 'int8', required: true },
    },
    indexes: ['(staked_account_id) where staked_account_id <> 0'],
  },
  /** The revision of the import that wrote the blocks which end after a consensus time, up to the next row. */
  import_revision: {
    key: ['after'],
    placement: local('a row for each version that imported'),
    answers: 'none',
    columns: {
      after: { type: 'int8', required: true },
      revision: { type: 'int4', required: true },
      /** Of the rows of single moments, if these were imported again. */
      blocks_revision: { type: 'int4' },
    },
  },
  /** The export that the database was filled from; no row = from the stream alone. */
  bootstrap_run: {
    key: ['id'],
    placement: local('one row'),
    answers: 'none',
    columns: {
      id: onlyRow,
      place: { type: 'text', required: true },
      version: { type: 'text' },
      mode: { type: 'text', required: true },
      /** ns; with mode `since`. */
      since: { type: 'int8' },
      begun_at: { type: 'timestamptz', required: true, default: 'now()' },
      /** All files are loaded, indexes made and checks stored; null = it has to be continued. */
      loaded_at: { type: 'timestamptz' },
      /** The operator goes on although a check does not hold. */
      accepted: { type: 'bool', required: true, default: 'false' },
    },
  },
  /** Its files that are loaded: a row is written in the transaction of the file's rows. */
  bootstrap_file: {
    key: ['name'],
    placement: local('written by the bootstrap alone'),
    answers: 'none',
    columns: {
      name: { type: 'text', required: true },
      row_count: { type: 'int8' },
      loaded_at: { type: 'timestamptz', required: true, default: 'now()' },
    },
  },
  /** How far it is, for processes that answer beside it: written about every second. */
  bootstrap_progress: {
    key: ['id'],
    placement: local('one row, written every second'),
    answers: 'none',
    columns: {
      id: onlyRow,
      seen_at: { type: 'timestamptz', required: true },
      /** By request, because of a failure, or because it is done. */
      is_ended: { type: 'bool', required: true },
      step: { type: 'text', required: true },
      /** Of that step. */
      done_permille: { type: 'int8', required: true },
      files_done: { type: 'int8', required: true },
      files_all: { type: 'int8', required: true },
      rows_done: { type: 'int8', required: true },
      /** null = the manifest does not say. */
      rows_all: { type: 'int8' },
      rows_per_second: { type: 'int8', required: true },
      ms_left: { type: 'int8' },
      problem: { type: 'text' },
    },
  },
  /** Parts of months that the export has and its chosen set left out, by table. */
  left_out_part: {
    key: ['table_name', 'month'],
    placement: local('a row for each month of a table'),
    answers: 'none',
    columns: {
      table_name: { type: 'text', required: true },
      /** As `2026_01`. */
      month: { type: 'text', required: true },
      /** null = the manifest does not say. */
      row_count: { type: 'int8' },
    },
  },
  /** What was checked of its rows. */
  bootstrap_check: {
    key: ['name'],
    placement: local('written by the bootstrap alone'),
    answers: 'none',
    columns: {
      name: { type: 'text', required: true },
      /** null = it cannot be checked. */
      holds: { type: 'bool' },
      sentence: { type: 'text', required: true },
      checked_at: { type: 'timestamptz', required: true, default: 'now()' },
    },
  },
} as const satisfies Record<string, DescribedTable>;
