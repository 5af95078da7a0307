// Several sources in order of preference, as one: block nodes, folders, in any mixture. One of them is followed at a time.
// When it fails, falls silent, or gives what is refused, the next unit comes from the first that has it; a better one is
// gone back to when it has what is due. Every unit still comes once and in order: the reader says what is due. Behind those
// that somebody has named there may be further ones, which are found while it works and count for less: they give units, and
// nothing that they claim is waited for.
import { createBackOff } from '../kit/back-off.ts';
import { pause } from '../kit/pause.ts';
import {
  IncompleteStreamError,
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

export type PreferredSourceOptions = {
  onEvent?(event: SourceEvent): void;
  /** How long without a unit before the others are asked. */
  quietMs?: number;
  /** How often better sources are asked, and how long one whose copy was refused comes last. */
  returnMs?: number;
  /** Further sources, as of now; those that stay are the same objects. Asked when the others do not have what is due. */
  findFurther?(): Promise<readonly StreamSource[]>;
};

const firstIdleMs = 200;
const maxIdleMs = 5_000;

export function createPreferredSource(
  sources: readonly StreamSource[],
  { onEvent = () => {}, quietMs = 10_000, returnMs = 60_000, findFurther }: PreferredSourceOptions = {},
): StreamSource {
  const givenBy = new WeakMap<StreamBlockFile | StreamFileCopy, StreamSource>();
  const refusedAtMs = new Map<StreamSource, number>();
  let refusals: { block: bigint; sources: Set<StreamSource> } | null = null;
  let followed: StreamSource | null = null;
  let further: readonly StreamSource[] = [];
  let furtherAtMs = Number.NEGATIVE_INFINITY;

  async function refreshFurther(): Promise<void> {
    if (!findFurther || performance.now() - furtherAtMs < returnMs) return;
    furtherAtMs = performance.now();
    further = await findFurther();
  }

  /** In order of preference; what was refused of late comes last. */
  function inOrder(): StreamSource[] {
    const isTrusted = (source: StreamSource): boolean =>
      performance.now() - (refusedAtMs.get(source) ?? Number.NEGATIVE_INFINITY) > returnMs;
    const all = [...sources, ...further];
    return [...all.filter(isTrusted), ...all.filter((source) => !isTrusted(source))];
  }

  /** The first of them that has what is due, as a block or as a record file; null: that has anything. */
  async function findHolder(candidates: readonly StreamSource[], due: StreamPosition | null) {
    const has = async (source: StreamSource): Promise<boolean> => {
      if (!due) return (await source.newestInstant()) !== null || (await source.findBlock(0n)) !== null;
      const { nextBlock, onlyBlocks, timestamp } = due;
      if (nextBlock !== null && (await source.findBlock(nextBlock))) return true;
      return !onlyBlocks && ((await source.hasRecordsAfter?.(timestamp)) ?? false);
    };
    // One that does not answer has nothing; it says so when it is followed.
    const found = await Promise.all(candidates.map((source) => has(source).catch(notThere)));
    return candidates[found.indexOf(true)] ?? null;
  }

  async function* units(options: UnitsOptions): AsyncGenerator<StreamUnit> {
    const { position, live, signal } = options;
    const idle = createBackOff(firstIdleMs, maxIdleMs);
    /** Of those that failed since the last unit. */
    const failures = new Map<StreamSource, StreamSourceError>();
    /** Not live: what a source said that it has, up to the highest block, and did not give. */
    let promised: IncompleteStreamError | null = null;
    let source = inOrder()[0]!;

    while (!signal?.aborted) {
      const sinceMs = performance.now();
      const end = yield* follow(source);
      if (signal?.aborted) return;
      if (end.next) {
        source = end.next;
        continue;
      }
      if (end.moved) idle.reset();
      const { failure } = end;
      if (failure instanceof IncompleteStreamError && sources.includes(source)) {
        promised = promised && promised.missing.last > failure.missing.last ? promised : failure;
      }
      // It broke off, and is asked again first.
      if (end.moved && end.failure) continue;
      if (end.failure) failures.set(source, end.failure);
      await refreshFurther();
      const other = await findHolder(othersThan(source), position());
      const untried = inOrder().find((one) => one !== source && !failures.has(one));
      if (other && !failures.has(other)) source = other;
      else if (end.failure && untried) source = untried;
      else if (inOrder().every((one) => failures.has(one))) throw allFailed([...failures.values()]);
      else if (!live) {
        if (promised) throwIfMissing(promised, position());
        return;
      } else {
        // Those that failed are asked again with the next silence.
        failures.clear();
        source = other ?? source;
        const idleMs = idle.next() - (performance.now() - sinceMs);
        if (idleMs > 0 && !(await pause(idleMs, signal))) return;
      }
    }

    type End = { moved: boolean; failure: StreamSourceError | null; next: StreamSource | null };

    /** One run of a source. `next`: another one has to be followed now. */
    async function* follow(current: StreamSource): AsyncGenerator<StreamUnit, End> {
      const end: End = { moved: false, failure: null, next: null };
      const better = createBetterLook(current);
      const refusedBeforeMs = refusedAtMs.get(current);
      try {
        for await (const unit of current.units({ ...options, quietMs })) {
          const due = position();
          if (unit.kind === 'block' && unit.block.number > (due?.nextBlock ?? unit.block.number)) {
            // It lacks the block that is due.
            end.next = await findHolder(othersThan(current), due);
            if (end.next) return end;
          }
          remember(unit, current);
          failures.clear();
          end.moved = true;
          yield unit;
          if (refusedAtMs.get(current) !== refusedBeforeMs) {
            end.next = inOrder()[0]!;
            return end;
          }
          end.next = better.found(position());
          if (end.next) return end;
        }
      } catch (error) {
        if (!(error instanceof StreamSourceError)) throw error;
        onEvent({ kind: 'failed', source: current.description, reason: error.message });
        end.failure = error;
      }
      return end;
    }
  }

  function othersThan(source: StreamSource): StreamSource[] {
    return inOrder().filter((one) => one !== source);
  }

  /** Looks now and then, beside the work, whether a better source has what is due. */
  function createBetterLook(current: StreamSource) {
    let sinceMs = performance.now();
    let looking = false;
    let found: StreamSource | null = null;
    let defect: unknown = null;
    return {
      found(due: StreamPosition | null): StreamSource | null {
        if (defect !== null) throw defect;
        const order = inOrder();
        const place = order.indexOf(current);
        // One that is no longer among them is the last.
        const better = place < 0 ? order : order.slice(0, place);
        if (found) return better.includes(found) ? found : null;
        if (looking || better.length === 0 || performance.now() - sinceMs < returnMs) return null;
        looking = true;
        const look = findHolder(better, due).then((holder) => {
          found = holder;
          looking = false;
          sinceMs = performance.now();
        });
        look.catch((error) => {
          defect = error;
        });
        return null;
      },
    };
  }

  function remember(unit: StreamUnit, source: StreamSource): void {
    if (unit.kind === 'record') for (const copy of unit.group.copies) givenBy.set(copy, source);
    else for (const file of [unit.block, unit.successor]) if (file) givenBy.set(file, source);
    if (followed === source) return;
    followed = source;
    onEvent({ kind: 'followed', source: source.description });
  }

  function sourceOf(given: StreamBlockFile | StreamFileCopy): StreamSource {
    const source = givenBy.get(given);
    if (source) return source;
    throw new StreamSourceError('missing', given.location, `${given.location} is no source of this stream`);
  }

  async function findBlockIn(candidates: readonly StreamSource[], number: bigint): Promise<StreamBlockFile | null> {
    for (const source of candidates) {
      const file = await source.findBlock(number).catch(notThere);
      if (!file) continue;
      givenBy.set(file, source);
      return file;
    }
    return null;
  }

  return {
    description: sources.map(({ description }) => description).join(', '),
    units,
    read: async (copy, file) => sourceOf(copy).read(copy, file),
    async *readBlock(block) {
      yield* sourceOf(block).readBlock(block);
    },
    // They are given the same.
    ...(sources[0]?.blockLimits && { blockLimits: sources[0].blockLimits }),
    findBlock: async (number) => findBlockIn(followed ? [followed, ...othersThan(followed)] : inOrder(), number),
    async newestInstant() {
      const found = await Promise.all(sources.map((source) => source.newestInstant().catch(notThere)));
      return found.reduce((newest, instant) => (newest === null || (instant ?? 0n) > newest ? instant : newest), null);
    },
    async passOver(refused) {
      await refreshFurther();
      const source = sourceOf(refused);
      const own = await source.passOver?.(refused);
      if (own) {
        givenBy.set(own, source);
        return own;
      }
      if (refusals?.block !== refused.number) refusals = { block: refused.number, sources: new Set() };
      refusals.sources.add(source);
      refusedAtMs.set(source, performance.now());
      const { sources: tried } = refusals;
      const candidates = inOrder().filter((one) => !tried.has(one));
      const file = await findBlockIn(candidates, refused.number);
      if (!file) refusals = null;
      return file;
    },
  };
}

/** Also of a folder that cannot be listed; a defect goes on. */
function notThere(error: unknown): null {
  if (error instanceof StreamSourceError || typeof (error as NodeJS.ErrnoException).syscall === 'string') return null;
  throw error;
}

/** What the other sources gave meanwhile is not missing. */
function throwIfMissing({ reason, missing }: IncompleteStreamError, due: StreamPosition | null): void {
  const first = due?.nextBlock ?? missing.first;
  if (first <= missing.last) throw new IncompleteStreamError(reason, { first, last: missing.last });
}

function allFailed(failures: readonly StreamSourceError[]): StreamSourceError {
  const [first] = failures;
  if (failures.length === 1) return first!;
  return new StreamSourceError('unavailable', first!.location, failures.map(({ message }) => message).join('; '));
}
