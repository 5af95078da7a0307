// The state of a separate import for its operators: health answers and metrics, on a separate port.
import type { AddressInfo } from 'node:net';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import { listen } from '../../../packages/kit/process/listen.ts';
import type { Logger } from '../../../packages/kit/process/log.ts';
import { StreamSourceError } from '../../../packages/sources/stream-source.ts';
import { type Doubt, doubtKinds } from '../../../packages/streams/stream/doubt.ts';
import { createHealthApp } from '../../api/frame/health-app.ts';
import type { ImportPhase } from '../../importer/import-progress.ts';
import { isProved } from '../../importer/open/block-verification.ts';
import { StreamCheckError } from '../../importer/open/stream-check-error.ts';
import type { UnreadPublication } from '../../importer/proving/ledger-change.ts';
import { createCoverMetrics } from './cover-metrics.ts';
import type { RunImportOptions } from './run-import.ts';

export type ImportHealth = Required<
  Pick<RunImportOptions, 'onStored' | 'onUnread' | 'onStanding' | 'onProgress' | 'onRetry' | 'onSource'>
>;

type Waiting = { file: string; check: string; reason: string };

/** Metrics of the import go to `registry`. `requiresProof`: not ready while the newest block is not proved. */
export function createImportHealth(registry: Registry, clock: () => number, requiresProof = false) {
  let block: { number: bigint; consensusEndMs: number } | null = null;
  let waiting: Waiting | null = null;
  let unproved: string | null = null;
  const lagSeconds = (): number => (block ? Math.max(0, clock() - block.consensusEndMs) / 1000 : 0);

  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `ledger_mirror_import_${name}`, help, labelNames, registers });
  const blocks = counter('blocks_total', 'Blocks imported by this process.');
  const transactions = counter('transactions_total', 'Transactions imported by this process.');
  const problems = counter('problems_total', 'Doubts and defects, one for each sentence of the log.');
  const countDoubts = createDoubtMetric(registry);
  const rejected = counter('rejected_copies_total', 'Copies and signatures that did not pass, by check.', ['check']);
  const unverified = counter('unverified_blocks_total', 'Blocks with a proof that was not verified.');
  const countCover = createCoverMetrics(registry);
  const unread = createUnreadMetric(registry);
  const stages = counter('stage_seconds_total', 'Time spent waiting for the source, opening, making rows, writing.', [
    'stage',
  ]);
  for (const stage of ['wait', 'open', 'rows', 'write'] satisfies ImportPhase[]) stages.inc({ stage }, 0);
  const retries = counter('retries_total', 'Attempts after a failure, by what failed.', ['cause']);
  retries.inc({ cause: 'file' }, 0);
  const sourceFailures = counter(
    'source_failures_total',
    'Failures of block nodes and folders in a list of sources: broken off, stalled, away, something other than asked for.',
    ['source'],
  );
  const followedSource = new Gauge({
    name: 'ledger_mirror_import_source',
    help: '1 for the source, of a list of them, that blocks come from.',
    labelNames: ['source'] as const,
    registers,
  });
  new Gauge({
    name: 'ledger_mirror_import_halted',
    help: '1 while the import stays at a file that cannot be proved; the labels name the file and the check.',
    labelNames: ['file', 'check'] as const,
    registers,
    collect() {
      this.reset();
      if (waiting?.file) this.set({ file: waiting.file, check: waiting.check }, 1);
      else this.set({ file: '', check: '' }, 0);
    },
  });
  addPositionGauges(registry, { number: () => Number(block?.number ?? -1), lagSeconds });

  const health: ImportHealth = {
    onStored(stored) {
      if (stored && !block) block = { number: stored.number, consensusEndMs: toMs(stored.consensusEnd) };
    },
    onUnread: unread.note,
    onStanding(reason) {
      unproved = reason;
    },
    onProgress(progress) {
      if (progress.block.unread !== undefined) unread.note(progress.block.unread);
      block = { number: progress.block.number, consensusEndMs: toMs(progress.block.consensusEnd) };
      waiting = null;
      blocks.inc();
      transactions.inc(progress.block.transactions);
      countDoubts(progress.block.doubts);
      for (const { code } of progress.block.verification.rejected) rejected.inc({ check: code });
      const { verification } = progress.block;
      if (!isProved(verification)) unverified.inc();
      unproved = isProved(verification) ? null : `block ${block.number} is not proved`;
      countCover(verification);
      stages.reset();
      for (const [stage, seconds] of Object.entries(progress.seconds)) stages.inc({ stage }, seconds);
      problems.reset();
      problems.inc(progress.problems);
    },
    onRetry(error) {
      waiting = describe(error);
      retries.inc({ cause: waiting.file ? 'file' : waiting.check });
    },
    onSource(event) {
      if (event.kind === 'failed') return sourceFailures.inc({ source: event.source });
      followedSource.reset();
      followedSource.set({ source: event.source }, 1);
    },
  };
  return {
    health,
    readiness() {
      const known = block ? `,"block":${block.number},"lagSeconds":${Math.round(lagSeconds())}` : '';
      const reason = waiting?.reason ?? (requiresProof ? unproved : null);
      return reason === null
        ? { ok: true, body: `{"status":"ok"${known}${unread.describe()}}` }
        : { ok: false, body: describeHalt(known, waiting?.file ?? '', reason) };
    },
  };
}

/** `known`: members of the answer. `file`: that the import stays at; empty: at none. */
function describeHalt(known: string, file: string, reason: string): string {
  const cause = file ? `,"haltedAt":${JSON.stringify(file)}` : '';
  return `{"status":"error"${known}${cause},"reason":${JSON.stringify(reason)}}`;
}

function addPositionGauges(registry: Registry, read: { number(): number; lagSeconds(): number }): void {
  addGauge(registry, {
    name: 'ledger_mirror_import_block',
    help: 'Number of the newest block that is stored; -1 = none yet.',
    read: read.number,
  });
  addGauge(registry, {
    name: 'ledger_mirror_import_lag_seconds',
    help: 'Age of the newest stored block by its last consensus timestamp; 0 while there is none.',
    read: read.lagSeconds,
  });
}

function createDoubtMetric(registry: Registry): (doubts: readonly Doubt[]) => void {
  const counter = new Counter({
    name: 'ledger_mirror_import_doubts_total',
    help: 'What of proved blocks is not shown, or shown in part, by kind.',
    labelNames: ['kind'],
    registers: [registry],
  });
  for (const kind of Object.keys(doubtKinds)) counter.inc({ kind }, 0);
  return (doubts) => {
    for (const { kind, count } of doubts) counter.inc({ kind }, count);
  };
}

/**
 * A publication of a ledger id that cannot be read. Blocks are verified as before: it is no reason to ask another
 * mirror.
 */
function createUnreadMetric(registry: Registry) {
  let unread: UnreadPublication | null = null;
  addGauge(registry, {
    name: 'ledger_mirror_import_unread_publication_block',
    help: 'Number of the block with a publication of a ledger id that this version cannot read; -1 = there is none.',
    read: () => Number(unread?.block ?? -1),
  });
  return {
    note(now: UnreadPublication | null): void {
      unread = now;
    },
    /** A member of the answer of readiness. */
    describe(): string {
      if (!unread) return '';
      const reason = `block ${unread.block} publishes a ledger id that this version cannot read: ${unread.reason}`;
      return `,"warning":${JSON.stringify(reason)}`;
    },
  };
}

function toMs(timestampNs: bigint): number {
  return Number(timestampNs / 1_000_000n);
}

function describe(error: Error): Waiting {
  if (error instanceof StreamCheckError) return { file: error.file, check: error.code, reason: error.message };
  if (error instanceof StreamSourceError) return { file: '', check: 'source', reason: error.message };
  return { file: '', check: 'database', reason: error.message };
}

type HealthOptions = {
  port: number;
  host: string;
  clusterId: string | null;
  requiresProof: boolean;
  log: Logger;
  signal: AbortSignal;
};

export async function serveImportHealth(options: HealthOptions) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const { health, readiness } = createImportHealth(registry, Date.now, options.requiresProof);
  const app = createHealthApp({ log: options.log, registry, readiness, clusterId: options.clusterId });
  await listen(app, { ...options, portSetting: 'health-port' });
  const { port } = app.server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return { health, url: `http://${host}:${port}`, close: () => app.close() };
}
