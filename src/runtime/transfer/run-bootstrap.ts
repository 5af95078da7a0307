// Fills an empty database from an export: plan, rows, indexes, what the database says of itself, checks. Each step may
// be interrupted, and the same call goes on.
import { availableParallelism } from 'node:os';
import { monthSpan } from '../../../packages/kit/months.ts';
import { makePostponedIndexes } from '../../../packages/schema/migration/postponed-indexes.ts';
import type { FilePlace, FilePlaceAddress } from '../../../packages/sources/places/file-place.ts';
import { openFilePlace } from '../../../packages/sources/places/open-file-place.ts';
import {
  acceptBootstrapRun,
  type BootstrapCheck,
  beginBootstrapRun,
  endBootstrapRun,
  selectLoadedFiles,
} from '../../../packages/store/transfer/bootstrap-run.ts';
import { checkLedger } from '../../../packages/store/transfer/check-ledger.ts';
import { analyzeTables, finishLoad } from '../../../packages/store/transfer/finish-load.ts';
import { holdWriterLock, type LockHolder } from '../../../packages/store/transfer/hold-writer-lock.ts';
import { makePartitions } from '../../../packages/store/transfer/make-partitions.ts';
import { measureLoad } from '../../../packages/store/transfer/measure-load.ts';
import type { RowChoice } from '../../../packages/store/transfer/transfer-tables.ts';
import { type ChosenFile, type ChosenFiles, chooseFiles, type TransferMode } from '../../transfer/choose-files.ts';
import { estimateLoad, type LoadEstimate, type MeasuredTable } from '../../transfer/estimate-load.ts';
import { examineColumns } from '../../transfer/examine-columns.ts';
import { type AbsentTables, examineTables } from '../../transfer/examine-tables.ts';
import { defaultFilesAtOnce, type FailedFile, type LoadProgress, loadExport } from '../../transfer/load-export.ts';
import { type Export, readExport } from '../../transfer/read-export.ts';
import { takeSample } from '../../transfer/take-sample.ts';
import { dropSurplusBlocks } from './drop-surplus-blocks.ts';
import { type ProgressReport, startProgressReport } from './report-progress.ts';
import { takeLedger } from './take-ledger.ts';

export type RunBootstrapOptions = {
  connectionString: string;
  from: FilePlaceAddress;
  mode: TransferMode;
  accepted: boolean;
  /** The ledger id that the export must be of; null: the one that it names. */
  ledgerId?: Uint8Array | null;
  /** See LoadExportOptions. */
  maxRowBytes?: number;
  /** Checks of the last block that need its source. */
  checkStream(): Promise<BootstrapCheck[]>;
  signal: AbortSignal;
  /** A sentence for the operator. */
  tell(sentence: string): void;
  warn(sentence: string): void;
  onProgress?(progress: LoadProgress): void;
  onIndexes?(progress: { index: string; done: number }): void;
};

export type BootstrapSummary = {
  /** Files that could not be loaded; nothing was done after the rows. */
  failed: readonly FailedFile[];
  /** Empty if files failed. */
  checks: readonly BootstrapCheck[];
};

/** What would be loaded. */
export type BootstrapPlan = ChosenFiles & { place: FilePlace; found: Export; absent: readonly AbsentTables[] };

/** Reads lists only. Throws TransferError, also if tables of state are absent. */
export async function planBootstrap({
  from,
  mode,
  signal,
}: Pick<RunBootstrapOptions, 'from' | 'mode' | 'signal'>): Promise<BootstrapPlan> {
  const place = openFilePlace(from);
  const found = await readExport(place, signal);
  const absent = examineTables({ place: place.name, files: found.files, takesPast: mode.kind !== 'state' });
  return { place, found, absent, ...chooseFiles(found.files, mode) };
}

/** Resolves with null when the signal ended it. Throws TransferError, and an Error if the database is not empty. */
export async function runBootstrap(
  options: RunBootstrapOptions,
  plan: BootstrapPlan,
): Promise<BootstrapSummary | null> {
  const { connectionString, mode, accepted, tell } = options;
  const { place, found, files } = plan;
  // Held to the end: neither an import nor another bootstrap may write.
  const client = await holdWriterLock(connectionString);
  try {
    const since = mode.kind === 'since' ? mode.since : null;
    const begun = { place: place.name, version: found.version, mode: mode.kind, since };
    const { isLoaded } = await beginBootstrapRun(client, begun);
    // Blocks may have been imported since.
    if (isLoaded) return { failed: [], checks: await acceptBootstrapRun(client, accepted) };
    const names = await selectLoadedFiles(client);
    const [left, loaded] = [files.filter(({ name }) => !names.has(name)), files.filter(({ name }) => names.has(name))];
    if (loaded.length > 0) tell(`Going on: ${loaded.length} of ${files.length} files are loaded.`);
    const report = startProgressReport(connectionString, { loaded, left });
    try {
      const summary = await fill({ ...options, report, client, plan, left });
      await report.end(summary && describeFailed(summary.failed));
      return summary;
    } catch (error) {
      await report.end((error as Error).message);
      throw error;
    }
  } finally {
    await client.end();
  }
}

type Filling = RunBootstrapOptions & {
  report: ProgressReport;
  client: LockHolder;
  plan: BootstrapPlan;
  /** Files that are not loaded yet. */
  left: readonly ChosenFile[];
};

async function fill(filling: Filling): Promise<BootstrapSummary | null> {
  const { connectionString, mode, accepted, signal, report, client, plan } = filling;
  const failed = await loadRows(filling);
  if (signal.aborted) return null;
  if (failed.length > 0) return { failed, checks: [] };
  await finishLoad(client, { choice: toChoice(mode), leftOut: plan.leftOut });
  await makeIndexes(filling);
  if (signal.aborted) return null;
  report.onChecks();
  await analyzeTables(connectionString, tablesAtOnce());
  await dropSurplusBlocks(connectionString);
  await takeLedger({ ...filling, pinned: filling.ledgerId ?? null });
  const checks = [...(await checkLedger(client)), ...(await filling.checkStream())];
  await endBootstrapRun(client, { checks, accepted });
  return { failed: [], checks };
}

async function loadRows(filling: Filling): Promise<FailedFile[]> {
  const { connectionString, from, signal, report, left, tell, warn, onProgress } = filling;
  const { files } = filling.plan;
  await makePartitions(connectionString, spanOf(files));
  const startedMs = performance.now();
  const failed = await loadExport({
    connectionString,
    from,
    files: left,
    filesOf: (table) => files.filter((file) => file.table === table).length,
    maxRowBytes: filling.maxRowBytes,
    signal,
    onProgress(progress) {
      report.onRows(progress);
      onProgress?.(progress);
    },
    onFailed: ({ name, reason }) => warn(`${name} is tried again: ${reason}`),
  });
  if (left.length > 0 && !signal.aborted)
    tell(`Loaded ${left.length - failed.length} files in ${secondsSince(startedMs)} s.`);
  return failed;
}

/** null = none failed. */
function describeFailed([first, ...others]: readonly FailedFile[]): string | null {
  if (!first) return null;
  const more = others.length === 0 ? '' : `, and ${others.length} more files`;
  return `It could not load ${first.name}: ${first.reason}${more}.`;
}

/** What fits and what does not, before the first row. Throws TransferError if a table cannot be filled. */
export async function tellColumns(
  { place, found, absent, files, unknownTables }: BootstrapPlan,
  { warn, signal }: Pick<RunBootstrapOptions, 'warn' | 'signal'>,
): Promise<void> {
  if (unknownTables.length > 0)
    warn(`Left out are tables that this program does not have: ${unknownTables.join(', ')}.`);
  if (found.unlisted.length > 0) {
    const [first] = found.unlisted;
    warn(
      `Left out are ${found.unlisted.length} files that the manifest does not name: ${first}${found.unlisted.length > 1 ? ' …' : ''}.`,
    );
  }
  for (const { tables, without } of absent) warn(`The export has no ${tables.join(', ')}: ${without}.`);
  for (const { table, unknown, defaulted } of await examineColumns(place, files, signal)) {
    if (unknown.length > 0)
      warn(`Of ${table} columns are left out that this program does not have: ${unknown.join(', ')}.`);
    if (defaulted.length > 0)
      warn(`Of ${table} the export does not have ${defaulted.join(', ')}: they get their default.`);
  }
}

/** Measured with the first rows of the largest tables, which are not kept; null = there is nothing to measure. */
export async function estimateBootstrap(
  { place, files }: BootstrapPlan,
  { connectionString, signal }: Pick<RunBootstrapOptions, 'connectionString' | 'signal'>,
): Promise<LoadEstimate | null> {
  const bytesOf = new Map<string, number>();
  for (const { table, sizeBytes } of files) bytesOf.set(table, (bytesOf.get(table) ?? 0) + sizeBytes);
  const largest = [...bytesOf].sort(([, one], [, other]) => other - one).slice(0, measuredTables);
  const samples: MeasuredTable[] = [];
  for (const [table] of largest) {
    const ofTable = files.filter((file) => file.table === table && file.path !== null);
    const [file] = ofTable.sort((one, other) => other.sizeBytes - one.sizeBytes);
    const sample = file && (await takeSample(place, file, signal));
    if (sample) samples.push({ sample, measured: await measureLoad(connectionString, sample) });
  }
  return estimateLoad(files, samples, defaultFilesAtOnce());
}

const measuredTables = 4;

async function makeIndexes({ connectionString, signal, report, tell, onIndexes }: Filling): Promise<void> {
  const startedMs = performance.now();
  report.onIndexes(0);
  const made = await makePostponedIndexes({
    connectionString,
    signal,
    tablesAtOnce: tablesAtOnce(),
    onProgress(progress) {
      report.onIndexes(progress.done);
      onIndexes?.(progress);
    },
  });
  if (made > 0) tell(`Made ${made} indexes and keys in ${secondsSince(startedMs)} s.`);
}

/** PostgreSQL takes a processor, or two, for each. */
function tablesAtOnce(): number {
  return Math.min(4, availableParallelism());
}

function secondsSince(startedMs: number): string {
  return ((performance.now() - startedMs) / 1000).toFixed(1);
}

/** Times of all rows, ns. Where no file says its month, as wide as the network may be old. */
function spanOf(files: readonly ChosenFile[]): { from: bigint; to: bigint } {
  const months = files.flatMap(({ month }) => (month === null ? [] : [month])).sort();
  const hasWhole = files.some(({ month, described }) => month === null && described.monthBy !== null);
  const now = BigInt(Date.now()) * 1_000_000n;
  if (months.length === 0) return { from: monthSpan('2019_01').from, to: now };
  const [first, last] = [monthSpan(months[0]!).from, monthSpan(months.at(-1)!).to - 1n];
  return hasWhole
    ? { from: monthSpan('2019_01').from < first ? monthSpan('2019_01').from : first, to: now > last ? now : last }
    : { from: first, to: last };
}

function toChoice(mode: TransferMode): RowChoice {
  if (mode.kind === 'since') return mode;
  return mode.kind === 'state' ? mode : { kind: 'all' };
}
