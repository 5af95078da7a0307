// The import as the status sees it: from its own process, or from its heartbeat in the database.

import type { StreamSource } from '../../../../packages/sources/stream-source.ts';
import { everySignal, type Facts, type Signals } from '../../../../packages/status/signal-names.ts';
import type { SeenImporter } from '../../../../packages/store/read/select-importer-state.ts';
import { type ImportWatch, toImportSignals } from './import-signals.ts';

/** An import in this process, as the status reads it. */
export type ImportObserver = { watch: ImportWatch; lookAtSource: LookAtSource };

export type ReadImport = {
  values: Signals<'import'>;
  facts: Facts;
  /** The state of the import is reported, or was when it ended. */
  isKnown: boolean;
  /** It has reached the configured end: nothing new will come. */
  hasEnded: boolean;
  /** The newest of the network's files; null if they are not watched. */
  source: { newestFile: bigint | null } | null;
};

/** An importer with an older heartbeat counts as dead. */
const aliveMs = 15_000;

const unknown: ReadImport = { values: {}, facts: {}, isKnown: false, hasEnded: false, source: null };

/** @param listMs how old a listing of the source may be; null if the newest file does not matter now */
export async function readOwnImport(
  { watch, lookAtSource }: ImportObserver,
  now: number,
  listMs: number | null,
): Promise<ReadImport> {
  const seen = listMs === null ? { newestFile: null, problem: null } : await lookAtSource(now, listMs);
  const own = watch.state(now);
  const state = { ...own, sourceProblem: own.sourceProblem ?? seen.problem };
  const source = state.sourceProblem === null ? { newestFile: seen.newestFile } : null;
  const { values, facts } = toImportSignals(state);
  const hasEnded = state.isEnded && state.haltedReason === null;
  return {
    values: everySignal<'import'>()({ ...values, 'import.absentMs': 0 }),
    facts: { ...facts, 'import.ended': hasEnded ? 'It has ended where it was set to end.' : '' },
    isKnown: true,
    hasEnded,
    source,
  };
}

/** @param reachableMs for how long the database has been answering: before that, no heartbeat could be written */
export function readImporter(importer: SeenImporter | null | undefined, reachableMs: number): ReadImport {
  if (!importer) return unknown;
  const { values, facts } = toImportSignals(importer);
  const seenMs = Number(importer.seenMs);
  const isAlive = !importer.isEnded && seenMs <= aliveMs;
  const absentMs = importer.isEnded ? seenMs : Math.min(seenMs, reachableMs);
  const { 'stream.broken': broken, ...others } = values;
  return {
    values: everySignal<'import'>()({
      ...(isAlive ? others : { 'import.halted': others['import.halted'] }),
      // With a dead importer it is unknown whether the chain is whole, unless it reported it as broken.
      ...(isAlive || broken === 1 ? { 'stream.broken': broken } : {}),
      'import.absentMs': isAlive ? 0 : absentMs,
    }),
    facts: { ...facts, 'import.absentMs': importer.isEnded ? 'It was ended.' : 'It was not asked to end.' },
    isKnown: true,
    // A separate import counts as missing however it ended.
    hasEnded: false,
    source: isAlive && importer.sourceProblem === null ? importer : null,
  };
}

/** newestFile: consensus instant in ns, null if there is no file. problem: why the source cannot be read. */
type SeenSource = { newestFile: bigint | null; problem: string | null };

/** Listing folders is expensive: a listing made within `maxAgeMs` before `now` is reused. */
export type LookAtSource = (now: number, maxAgeMs: number) => Promise<SeenSource>;

export function createSourceLook(source: Pick<StreamSource, 'newestInstant'>): LookAtSource {
  let last: { at: number; seen: SeenSource } | null = null;
  return async (now, maxAgeMs) => {
    if (!last || now - last.at >= maxAgeMs) last = { at: now, seen: await look(source) };
    return last.seen;
  };
}

async function look(source: Pick<StreamSource, 'newestInstant'>): Promise<SeenSource> {
  try {
    return { newestFile: await source.newestInstant(), problem: null };
  } catch (error) {
    return { newestFile: null, problem: `The source cannot be read: ${(error as Error).message}` };
  }
}
