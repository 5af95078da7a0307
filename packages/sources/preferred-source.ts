// Several sources in order of preference, as one. One of them is followed at a time. If it fails, falls silent, or its
// copy is refused, the next unit comes from the first that has it; a better source is followed again when it has what
// is due. Every unit still comes once and in order: the reader's position says what is due. Further sources, which the
// operator did not name, are found during the run and trusted less: they yield units, but their claims are not waited
// for.
import { createBackOff } from '../kit/back-off.ts';
import { pause } from '../kit/pause.ts';
import {
  createBetterLook,
  createPreference,
  findHolder,
  notThere,
  type Preference,
  type PreferenceOptions,
} from './preference.ts';
import {
  IncompleteStreamError,
  newerInstant,
  type StreamBlockFile,
  type StreamFileCopy,
  type StreamPosition,
  type StreamSource,
  StreamSourceError,
  type StreamUnit,
  type UnitsOptions,
} from './stream-source.ts';

export type SourceEvent =
  /** Units come from this source from now on. */
  { kind: 'followed'; source: string } | { kind: 'failed'; source: string; reason: string };

export type PreferredSourceOptions = Partial<PreferenceOptions> & {
  onEvent?(event: SourceEvent): void;
  /** After this time without a unit the others are asked. */
  quietMs?: number;
};

const firstIdleMs = 200;
const maxIdleMs = 5_000;

export function createPreferredSource(
  sources: readonly StreamSource[],
  { onEvent = () => {}, quietMs = 10_000, returnMs = 60_000, findFurther }: PreferredSourceOptions = {},
): StreamSource {
  const preference = createPreference(sources, { returnMs, findFurther });
  const origins = createOrigins(onEvent);
  return {
    description: sources.map(({ description }) => description).join(', '),
    units: (options) => follow({ sources, preference, origins, onEvent, quietMs, returnMs }, options),
    read: async (copy, file, signal) => origins.sourceOf(copy).read(copy, file, signal),
    async *readBlock(block, signal) {
      yield* origins.sourceOf(block).readBlock(block, signal);
    },
    // All have the same limits.
    ...(sources[0]?.blockLimits && { blockLimits: sources[0].blockLimits }),
    async findBlock(number, signal) {
      const followed = origins.followed();
      return origins.findBlock(
        followed ? [followed, ...preference.others(followed)] : preference.all(),
        number,
        signal,
      );
    },
    async newestInstant() {
      const found = await Promise.all(sources.map((source) => source.newestInstant().catch(notThere)));
      return found.reduce(newerInstant, null);
    },
    passOver: createPassOver(preference, origins),
  };
}

type Origins = ReturnType<typeof createOrigins>;

/** Which source yielded which files. */
function createOrigins(onEvent: (event: SourceEvent) => void) {
  const givenBy = new WeakMap<StreamBlockFile | StreamFileCopy, StreamSource>();
  let followed: StreamSource | null = null;
  return {
    followed: () => followed,
    note(file: StreamBlockFile, source: StreamSource): void {
      givenBy.set(file, source);
    },
    noteUnit(unit: StreamUnit, source: StreamSource): void {
      if (unit.kind === 'record') for (const copy of unit.group.copies) givenBy.set(copy, source);
      else for (const file of [unit.block, unit.successor]) if (file) givenBy.set(file, source);
      if (followed === source) return;
      followed = source;
      onEvent({ kind: 'followed', source: source.description });
    },
    sourceOf(given: StreamBlockFile | StreamFileCopy): StreamSource {
      const source = givenBy.get(given);
      if (source) return source;
      throw new StreamSourceError('missing', given.location, `${given.location} is no source of this stream`);
    },
    async findBlock(
      candidates: readonly StreamSource[],
      number: bigint,
      signal?: AbortSignal,
    ): Promise<StreamBlockFile | null> {
      for (const source of candidates) {
        const file = await source.findBlock(number, signal).catch(notThere);
        if (!file) continue;
        givenBy.set(file, source);
        return file;
      }
      return null;
    },
  };
}

/** The next copy of a refused block: of the same source, then of the others, each once. */
function createPassOver(preference: Preference, origins: Origins): NonNullable<StreamSource['passOver']> {
  let refusals: { block: bigint; sources: Set<StreamSource> } | null = null;
  return async (refused) => {
    await preference.refreshFurther();
    const source = origins.sourceOf(refused);
    const own = await source.passOver?.(refused);
    if (own) {
      origins.note(own, source);
      return own;
    }
    if (refusals?.block !== refused.number) refusals = { block: refused.number, sources: new Set() };
    refusals.sources.add(source);
    preference.demote(source);
    const { sources: tried } = refusals;
    const candidates = preference.all().filter((one) => !tried.has(one));
    const file = await origins.findBlock(candidates, refused.number);
    if (!file) refusals = null;
    return file;
  };
}

type Following = {
  /** Those named in the settings. */
  sources: readonly StreamSource[];
  preference: Preference;
  origins: Origins;
  onEvent(event: SourceEvent): void;
  quietMs: number;
  returnMs: number;
};

async function* follow(following: Following, options: UnitsOptions): AsyncGenerator<StreamUnit> {
  const { sources, preference } = following;
  const { position, live, signal } = options;
  const idle = createBackOff(firstIdleMs, maxIdleMs);
  /** Of those that failed since the last unit. */
  const failures = new Map<StreamSource, StreamSourceError>();
  /** Not live: blocks that a source claimed to have, up to the highest, and did not send. */
  let promised: IncompleteStreamError | null = null;
  let source = preference.all()[0]!;

  while (!signal?.aborted) {
    const sinceMs = performance.now();
    const { next, moved, failure } = yield* followOne(following, source, options, () => failures.clear());
    if (signal?.aborted) return;
    if (next) {
      source = next;
      continue;
    }
    if (moved) idle.reset();
    if (failure instanceof IncompleteStreamError && sources.includes(source)) {
      promised = promised && promised.missing.last > failure.missing.last ? promised : failure;
    }
    // It broke off, and is asked again first.
    if (moved && failure) continue;
    if (failure) failures.set(source, failure);
    await preference.refreshFurther();
    const other = await findHolder(preference.others(source), position());
    const untried = preference.others(source).find((one) => !failures.has(one));
    if (other && !failures.has(other)) source = other;
    else if (failure && untried) source = untried;
    else if (preference.all().every((one) => failures.has(one))) throw allFailed([...failures.values()]);
    else if (!live) {
      if (promised) throwIfMissing(promised, position());
      return;
    } else {
      // Failed sources are asked again at the next silence.
      failures.clear();
      source = other ?? source;
      const idleMs = idle.next() - (performance.now() - sinceMs);
      if (idleMs > 0 && !(await pause(idleMs, signal))) return;
    }
  }
}

/** `next`: another source has to be followed now. */
type End = { moved: boolean; failure: StreamSourceError | null; next: StreamSource | null };

/** One run of a source. */
async function* followOne(
  { preference, origins, onEvent, quietMs, returnMs }: Following,
  source: StreamSource,
  options: UnitsOptions,
  onUnit: () => void,
): AsyncGenerator<StreamUnit, End> {
  const { position } = options;
  const end: End = { moved: false, failure: null, next: null };
  const findBetter = createBetterLook(preference, source, returnMs);
  const demotions = preference.demotions(source);
  try {
    for await (const unit of source.units({ ...options, quietMs })) {
      const due = position();
      if (unit.kind === 'block' && unit.block.number > (due?.nextBlock ?? unit.block.number)) {
        // It lacks the block that is due.
        end.next = await findHolder(preference.others(source), due);
        if (end.next) return end;
      }
      origins.noteUnit(unit, source);
      onUnit();
      end.moved = true;
      yield unit;
      end.next = preference.demotions(source) === demotions ? findBetter(position()) : preference.all()[0]!;
      if (end.next) return end;
    }
  } catch (error) {
    if (!(error instanceof StreamSourceError)) throw error;
    onEvent({ kind: 'failed', source: source.description, reason: error.message });
    end.failure = error;
  }
  return end;
}

/** Blocks that other sources yielded meanwhile are not missing. */
function throwIfMissing({ reason, missing }: IncompleteStreamError, due: StreamPosition | null): void {
  const first = due?.nextBlock ?? missing.first;
  if (first <= missing.last) throw new IncompleteStreamError(reason, { first, last: missing.last });
}

function allFailed(failures: readonly StreamSourceError[]): StreamSourceError {
  const [first] = failures;
  if (failures.length === 1) return first!;
  return new StreamSourceError('unavailable', first!.location, failures.map(({ message }) => message).join('; '));
}
