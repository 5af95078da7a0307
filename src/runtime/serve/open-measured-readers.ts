// The database that queries are answered from, with metrics and log.

import { Counter, type Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { createDurationHistogram, type DurationSeries } from '../../../packages/kit/duration-histogram.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { queueIsFull } from '../../../packages/postgres/wire/waiting-line.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { countPostponedIndexes } from '../../../packages/store/read/count-postponed-indexes.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import { selectBootstrapRun } from '../../../packages/store/transfer/bootstrap-run.ts';
import { describeUnfinished } from '../../ledger/extent/bootstrap-state.ts';
import { type OpenReadersOptions, openReaders, type Readers } from '../database/open-readers.ts';
import { toLoadLimits } from '../settings/to-listener-settings.ts';
import { askInTime } from './ask-in-time.ts';

type Options = Pick<OpenReadersOptions, 'settings' | 'log' | 'registry' | 'leader' | 'connectionString'> & {
  maxConnections: number;
};

/** Throws UsageError. */
export async function openMeasuredReaders(options: Options): Promise<Readers> {
  const { settings, log, registry } = options;
  const queryDurations = createDurationHistogram({
    name: 'ledger_mirror_query_duration_seconds',
    help: 'Duration of SQL queries by their name',
    buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
    registry,
  });
  const durationOf = new Map<string, DurationSeries>();
  const unreadable = new Counter({
    name: 'ledger_mirror_unreadable_values_total',
    help: 'Stored values that nothing could be made of when they were answered, by table and column',
    labelNames: ['column'],
    registers: [registry],
  });
  const readers = openReaders({
    ...options,
    statementTimeoutMs: settings.get('statement-timeout') * 1000,
    maxExpectedWaitMs: toLoadLimits(settings).maxWaitMs ?? Number.POSITIVE_INFINITY,
    onQuery(name, durationMs, error) {
      const series = durationOf.get(name) ?? queryDurations.addSeries({ query: name });
      durationOf.set(name, series);
      series.observe(durationMs / 1000);
      if (error && (error as { code?: string }).code !== queueIsFull) {
        log.warn({ query: name, err: error }, 'a query failed');
      }
    },
    onUnreadable({ column, row, error }) {
      unreadable.inc({ column });
      log.warn({ column, row, err: error }, 'a stored value cannot be read; answers go without it');
    },
    onConnectionLost: (error) => log.warn({ err: error }, 'a connection to PostgreSQL was lost'),
  });
  const unfinished = describeUnfinished(await selectBootstrapRun(readers.primary));
  const postponed = await countPostponedIndexes(readers.primary);
  if (unfinished !== null) log.warn(`${unfinished} Until then this server is not ready.`);
  else if (postponed > 0) {
    log.warn(
      `${postponed} indexes are left out until the import has caught up (--bulk): answers are right, and many are slow or refused for the time they take.`,
    );
  }
  return readers;
}

export function measureDatabase(db: Database, registry: Registry, blocks: BlockWatch): void {
  addGauge(registry, {
    name: 'ledger_mirror_database_connections',
    help: 'Connections to PostgreSQL that answer queries, by what they do: busy, or idle.',
    label: 'state',
    read() {
      const { open, idle } = db.connections();
      return { busy: open - idle, idle };
    },
  });
  addGauge(registry, {
    name: 'ledger_mirror_database_waiting_queries',
    help: 'Queries that wait for a connection.',
    read: () => db.connections().waiting,
  });
  addGauge(registry, {
    name: 'ledger_mirror_newest_block_age_seconds',
    help: 'Age of the newest block that answers are given from, as consensus time; no value where it is not known.',
    aggregator: 'max',
    async read() {
      const end = blocks.newestEnd ?? (await askNewestEnd(db));
      return end === null ? null : Date.now() / 1000 - Number(end) / 1e9;
    },
  });
}

/** For databases without notifications of blocks. null without a block or an answer. */
async function askNewestEnd(db: Database): Promise<bigint | null> {
  return (await askInTime(selectNewestBlock(db)))?.consensusEnd ?? null;
}
