// One connection that writes blocks. It holds the database's writer lock as long as it lives, so that a second writer
// waits or is refused, and that after a lost connection no process writes before the lost transaction has ended.
import type pg from 'pg';
import { connectClient } from '../../postgres/wire/connect-client.ts';
import { isLostMachine, LostMachineError } from '../../postgres/wire/lost-machine.ts';
import { notifyReaders } from '../../schema/block-channel.ts';
import { isCompact, storedTable } from '../../schema/compact-form.ts';
import { isDistributed } from '../../schema/migration/distribute.ts';
import type { Table } from '../../schema/table.ts';
import { type TableName, tables } from '../../schema/tables.ts';
import type { BlockChanges, BulkOperation, TimeSpan, WritableChanges } from './block-changes.ts';
import { describeDeletedNfts, runBulkOperation } from './bulk-operations.ts';
import { settleMachines } from './cluster-machines.ts';
import { createRowCopier, type RowCopier } from './copy-rows.ts';
import { createDayTotals, type PriceOfGas } from './day-totals.ts';
import { createRowCollector, joinSpans, spanOf } from './encoded-rows.ts';
import { createKnownBeginning } from './known-beginning.ts';
import { createLedgerScans, isScanOperation, type ScanProgress } from './ledger-scans.ts';
import { createTableMerger, type TableMerger } from './merge-rows.ts';
import { createPartitions } from './partitions.ts';
import { type ReplacedSpan, replaceRows } from './replace-rows.ts';
import type { AnyRow } from './row-encoder.ts';

export type WriterSession = {
  client: pg.Client;
  /**
   * All rows of one or several blocks, in one transaction. Rejects also if it is committed but a machine lacks its
   * part.
   */
  write(changes: WritableChanges): Promise<void>;
  /** Without a record_file row nothing shows it, and the changes count as not written. */
  isCommitted(changes: WritableChanges): Promise<boolean>;
  /** See BlockWriter. */
  replaceRows(changes: BlockChanges, span: ReplacedSpan): Promise<void>;
  /** The next range of deferred work of a block, in a separate transaction. */
  advanceScans(): Promise<ScanProgress>;
  /** Ends a transaction that failed with this error. false = the connection, or one behind it, is lost. */
  rollback(error: unknown): Promise<boolean>;
};

export type WriterSessionOptions = {
  connectionString: string;
  /** How long to wait for another writer, which may be about to end. */
  otherWriterMs: number;
  /** Rows that a scan of a whole table processes at a time. */
  rowsOfRange: number;
  /** Default: days get no price of gas. */
  priceOfGas?: PriceOfGas | undefined;
};

export async function openWriterSession(options: WriterSessionOptions): Promise<WriterSession> {
  const client = await connectClient(options.connectionString, 'writer');
  const isSpread = await isDistributed(client);
  const plan = isSpread ? planOfMany : planOfOne;
  await lockDatabase(client, options.otherWriterMs, plan);
  if (isSpread) await orEnd(client, settleMachines(client));
  const hasCompactForm = await orEnd(client, isCompact(client));
  const partitions = createPartitions(hasCompactForm);
  const { mergers, copiers } = createTableWriters(hasCompactForm);
  const collector = createRowCollector();
  let beginning = createKnownBeginning();
  const scans = createLedgerScans(options.rowsOfRange);
  const days = createDayTotals({
    rowsOfPart: options.rowsOfRange,
    priceOfGas: options.priceOfGas ?? null,
    isSpread,
  });
  const commit = createCommit(client, isSpread);
  return {
    client,
    async rollback(error) {
      // Its rows were rolled back.
      beginning = createKnownBeginning();
      scans.forget();
      days.forget();
      try {
        await client.query('rollback');
        if (!(isSpread && (await lacksMachine(client, error)))) return true;
        await client.end();
        return false;
      } catch {
        // The error that the caller is handling has the reason.
        await client.end().catch(() => {});
        return false;
      }
    },
    async write({ parts }) {
      const operations: BulkOperation[] = [];
      const span = timeSpan(parts);
      if (span) await partitions.ensure(client, span.from, span.to);
      await client.query('begin');
      const beganLater = await beginning.settle(client, recordFilesOf({ parts })[0]);
      for (const [index, part] of parts.entries()) {
        await scans.keep(client, part);
        if (isOperation(part) && isScanOperation(part)) {
          await scans.begin(client, part, { written: parts.slice(0, index), beganLater });
        } else if (isOperation(part)) {
          await client.query(planForMany);
          await runBulkOperation(client, part);
          await client.query(planForFew('set local', plan));
          operations.push(part);
        } else if ('encoded' in part) {
          for (const { name, chunks } of part.encoded) await copiers[name]!(client, chunks);
        } else {
          for (const [name, rows] of Object.entries(part) as [TableName, AnyRow[]][]) {
            if (mergers[name]) await mergers[name](client, rows, beganLater);
            else await copiers[name]!(client, collector.encode(name, rows));
          }
        }
      }
      for (const operation of operations) await describeDeletedNfts(client, operation);
      const files = recordFilesOf({ parts });
      const newest = files.at(-1)?.consensus_end ?? null;
      if (newest !== null) await days.add(client, { parts }, { from: files[0]!.consensus_start!, to: newest });
      await notifyReaders(client, newest);
      await commit();
    },
    async replaceRows(changes, span) {
      // Those of compacted years were dropped.
      const ofPast = hasCompactForm ? createPartitions(hasCompactForm) : partitions;
      await ofPast.ensure(client, span.from, span.to);
      await client.query('begin');
      await replaceRows(client, {
        ...{ changes, span, copiers, collector, mergeState: mergers.contract_state!, isCompact: hasCompactForm },
      });
      await notifyReaders(client, null);
      await commit();
    },
    async advanceScans() {
      if (!scans.isRunning() && !days.isFilling()) return { hasEnded: false, hasMore: false };
      await client.query('begin');
      const scanned = scans.isRunning() ? await scans.advance(client) : { hasEnded: false, hasMore: false };
      const progress = scanned.hasMore || !days.isFilling() ? scanned : await days.fill(client);
      if (progress.hasEnded) await notifyReaders(client, null);
      await commit();
      return progress;
    },
    async isCommitted(changes) {
      const last = recordFilesOf(changes).at(-1);
      if (!last) return false;
      const { rowCount } = await client.query('select from record_file where consensus_end = $1', [last.consensus_end]);
      return rowCount === 1;
    },
  };
}

/** On several machines it rejects if one of them missed its part: Citus only warns of it, and the commit counts. */
function createCommit(client: pg.Client, isSpread: boolean): () => Promise<void> {
  const missed: string[] = [];
  client.on('notice', ({ severity, message }) => {
    if (isSpread && severity === 'WARNING') missed.push(message ?? '');
  });
  return async () => {
    missed.length = 0;
    await client.query('commit');
    if (missed.length === 0) return;
    throw new LostMachineError('A machine of the cluster missed a commit', new Error(missed.join('; ')));
  };
}

async function lockDatabase(client: pg.Client, otherWriterMs: number, plan: MachinePlan): Promise<void> {
  await client.query(
    `set jit = off; set statement_timeout = 0; set lock_timeout = ${otherWriterMs}; ${plan.further}${planForFew('set', plan)}`,
  );
  // Also waits until a lost connection's transaction has ended.
  const locked = client.query(`select pg_advisory_lock(hashtext('ledger-mirror writer'))`).catch((cause) => {
    const message = 'Another mirror is writing to this database; only one may. Stop it, or use "serve" here.';
    throw new Error(message, { cause });
  });
  await orEnd(client, locked);
}

async function orEnd<Result>(client: pg.Client, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function lacksMachine(client: pg.Client, error: unknown): Promise<boolean> {
  if (isLostMachine(error)) return true;
  const { code } = error as { code?: unknown };
  // Citus reports some losses as an internal error.
  if (code !== 'XX000') return false;
  return settleMachines(client).then(
    () => false,
    () => true,
  );
}

/**
 * The rows of a block are looked up one by one by key, whatever the size of the tables, or its estimate, was when the
 * statements were planned; they are planned once. Bulk operations read whole tables: the planner decides.
 */
function planForFew(set: 'set' | 'set local', { cacheMode }: MachinePlan): string {
  const off = ['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'].map((method) => `${set} ${method} = off`);
  return [...off, `${set} plan_cache_mode = ${cacheMode}`].join('; ');
}

/** `further`: statements, each with a semicolon behind it. */
type MachinePlan = { cacheMode: string; further: string };

const planOfOne: MachinePlan = { cacheMode: 'force_generic_plan', further: '' };

/**
 * On several machines a statement is planned for the machines that its values lie on, and a generic plan is refused.
 * The connections to them are kept, and each machine is asked over one: 17.6 blocks/s instead of 10.8, measured on a
 * coordinator with two workers.
 */
const planOfMany: MachinePlan = {
  cacheMode: 'auto',
  further: `set citus.max_cached_conns_per_worker = 8; set citus.multi_shard_modify_mode = 'sequential'; `,
};

const planForMany = [
  ...['enable_hashjoin', 'enable_mergejoin', 'enable_seqscan'].map((method) => `set local ${method} = on`),
  'set local plan_cache_mode = force_custom_plan',
].join('; ');

type TableWriters = {
  /** Of tables that rows are only added to. */
  copiers: Partial<Record<TableName, RowCopier>>;
  mergers: Partial<Record<TableName, TableMerger>>;
};

function createTableWriters(hasCompactForm: boolean): TableWriters {
  const writers: TableWriters = { copiers: {}, mergers: {} };
  for (const [name, table] of Object.entries(tables) as [TableName, Table][]) {
    if (table.kind === 'insert') writers.copiers[name] = createRowCopier(storedTable(name, hasCompactForm), table);
    else writers.mergers[name] = createTableMerger(name, table);
  }
  return writers;
}

function isOperation(part: WritableChanges['parts'][number]): part is BulkOperation {
  return 'operation' in part;
}

/** Consensus timestamps of rows in partitioned tables. */
function timeSpan(parts: WritableChanges['parts']): TimeSpan | null {
  const spans = parts.flatMap((part): (TimeSpan | null)[] => {
    if (isOperation(part)) return [{ from: part.timestamp, to: part.timestamp }];
    if ('encoded' in part) return part.encoded.map(({ span }) => span);
    return (Object.entries(part) as [TableName, AnyRow[]][]).map(([name, rows]) => spanOf(name, rows));
  });
  return joinSpans(spans);
}

function recordFilesOf({ parts }: WritableChanges) {
  return parts.flatMap((part) => ('record_file' in part ? (part.record_file ?? []) : []));
}
