// The export that a database is filled from: how far that is, or how it has ended, as sentences about the database.
import { formatDuration } from '../../../packages/kit/duration-text.ts';
import type { BootstrapRun } from '../../../packages/store/transfer/bootstrap-run.ts';

/** A bootstrap that has not been heard of for longer has ended: it writes about every second. */
const aliveMs = 15_000n;

export type BootstrapState = 'running' | 'interrupted' | 'loaded';

export function stateOf({ loadedAt, isEnded, seenMs }: BootstrapRun): BootstrapState {
  if (loadedAt !== null) return 'loaded';
  return isEnded === false && seenMs <= aliveMs ? 'running' : 'interrupted';
}

/** Where everyone reads it, a folder of this machine is not named. */
export type Readers = 'operators' | 'everyone';

/** A sentence, or several. */
export function describeBootstrap(run: BootstrapRun, readers: Readers): string {
  switch (stateOf(run)) {
    case 'running':
      return `It is being filled from ${describeExport(run, readers)}: ${describeProgress(run)}.`;
    case 'interrupted':
      return describeInterruption(run, readers);
    default:
      return [
        `It was filled from ${describeExport(run, readers)}; that ended at ${run.loadedAt}.`,
        ...describeChecks(run),
      ].join(' ');
  }
}

/** To be said instead of what the ledger lacks, while that is unknown; null = it is filled. */
export function describeUnfinished(run: BootstrapRun | null): string | null {
  if (!run || stateOf(run) === 'loaded') return null;
  return `The database is incomplete. ${describeBootstrap(run, 'everyone')}`;
}

function describeExport({ place, version, mode, since }: BootstrapRun, readers: Readers): string {
  const where = readers === 'operators' || /^(?:s3|gs):/.test(place) ? place : 'in a folder';
  const said = version === null ? [] : [`version ${version}`];
  const day = since === null ? '' : ` ${new Date(Number(since / 1_000_000n)).toISOString().slice(0, 10)}`;
  return `the export ${where} (${[...said, `--${mode}${day}`].join(', ')})`;
}

function describeProgress(run: BootstrapRun): string {
  if (run.step === null) return 'it has just begun';
  const percent = `${Math.floor(Number(run.donePermille) / 10)} %`;
  if (run.step === 'indexes') return `${describeRows(run)} are loaded; of the indexes ${percent} are made`;
  if (run.step === 'checks') return `${describeRows(run)} are loaded, indexes are made; statistics and checks are left`;
  const left = run.msLeft === null ? '' : `, about ${formatDuration(Number(run.msLeft))} to go`;
  return `${describeRows(run)} are loaded, ${format(run.rowsPerSecond)} rows/s${left}`;
}

type Progress = Extract<BootstrapRun, { step: string }>;

function describeRows({ filesDone, filesAll, rowsDone, rowsAll }: Progress): string {
  const rows = rowsAll === null ? format(rowsDone) : `${format(rowsDone)} of ${format(rowsAll)}`;
  return `${format(filesDone)} of ${format(filesAll)} files and ${rows} rows`;
}

function describeInterruption(run: BootstrapRun, readers: Readers): string {
  const { step, problem, seenAt } = run;
  const sentences = [
    `Filling it from ${describeExport(run, readers)} was interrupted${seenAt === null ? '' : ` at ${seenAt}`}`,
    step === null ? '.' : `: ${describeRows(run)} are loaded.`,
    problem === null || readers === 'everyone' ? '' : ` ${problem}`,
    ' The same "bootstrap" goes on.',
  ];
  return sentences.join('');
}

function describeChecks({ heldChecks, failedChecks, openChecks, isAccepted }: BootstrapRun): string[] {
  const accepted = isAccepted ? ' They were accepted all the same.' : '';
  return [
    ...(failedChecks === null ? [] : [`Checks of its rows that fail: ${failedChecks}.${accepted}`]),
    ...(heldChecks === null ? [] : [`Checks of its rows that hold: ${heldChecks}.`]),
    ...(openChecks === null ? [] : [`Checks that could not be made: ${openChecks}.`]),
  ];
}

function format(count: bigint): string {
  return count.toLocaleString('en-US');
}
