// How far the bootstrap of the database is, as metrics; none of a database that the stream alone fills.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { createInFlight } from '../../../packages/kit/share-in-flight.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type BootstrapRun, selectBootstrapRun } from '../../../packages/store/transfer/bootstrap-run.ts';
import { type BootstrapState, stateOf } from '../../ledger/extent/bootstrap-state.ts';

const prefix = 'ledger_mirror_bootstrap';
/** Metrics wait for nothing. */
const answerWithinMs = 500;

export function measureBootstrap(db: Database, registry: Registry): void {
  const running = createInFlight<BootstrapRun | null>();
  /** One question for all gauges that are read at the same time; null without an answer in time. */
  const ask = () =>
    running.share('bootstrap', () =>
      Promise.race([selectBootstrapRun(db).catch(() => null), sleep(answerWithinMs, null, { ref: false })]),
    );
  const gauge = (name: string, help: string, read: (run: BootstrapRun) => number | null): void =>
    addGauge(registry, {
      name: `${prefix}_${name}`,
      help,
      aggregator: 'max',
      async read() {
        const run = await ask();
        return run && read(run);
      },
    });
  addGauge(registry, {
    name: `${prefix}_state`,
    help: '1 for what the bootstrap of this database is: running, interrupted, or loaded to its end.',
    label: 'state',
    aggregator: 'max',
    async read() {
      const run = await ask();
      const states: BootstrapState[] = ['running', 'interrupted', 'loaded'];
      return run && Object.fromEntries(states.map((state) => [state, stateOf(run) === state ? 1 : 0]));
    },
  });
  gauge('files_loaded', 'Files of the export that are loaded.', ({ filesDone }) => toNumber(filesDone));
  gauge('files', 'Files of the export that are to be loaded.', ({ filesAll }) => toNumber(filesAll));
  gauge('rows_loaded', 'Rows that are loaded, estimated for files that are being read.', ({ rowsDone }) =>
    toNumber(rowsDone),
  );
  gauge('rows', 'Rows that are to be loaded, by the manifest.', ({ rowsAll }) => toNumber(rowsAll));
  gauge('rows_per_second', 'Rows that were loaded in a second of the last half minute.', (run) =>
    stateOf(run) === 'running' ? toNumber(run.rowsPerSecond) : 0,
  );
  gauge('indexes_done_ratio', 'Share of the work on indexes that is done.', ({ step, donePermille }) => {
    if (step === null || step === 'rows') return 0;
    return step === 'indexes' ? Number(donePermille) / 1000 : 1;
  });
  gauge('seconds_left', 'Until the rows are loaded.', (run) =>
    stateOf(run) === 'running' && run.msLeft !== null ? Number(run.msLeft) / 1000 : null,
  );
  gauge('failed_checks', 'Checks of the loaded rows that do not hold.', ({ loadedAt, failedChecks }) =>
    loadedAt === null ? null : (failedChecks?.split(', ').length ?? 0),
  );
}

function toNumber(count: bigint | null): number | null {
  return count === null ? null : Number(count);
}
