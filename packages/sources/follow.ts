// Turns the names of files into units in order: record files with what belongs to them, then blocks where they end.
// Works while files are being written: a group is yielded only when enough of it is there. One that stays incomplete
// while later ones are complete is yielded too, so that the missing files can be reported.
import { createGroupQueue, type GroupQueue } from './group-queue.ts';
import type { TellPassedOver } from './passed-over.ts';
import type { StreamBlockFile, StreamFileGroup, StreamSource, StreamUnit, UnitsOptions } from './stream-source.ts';

/** Blocks by number, as of the last refresh. */
type BlockFinder = {
  find(number: bigint): Promise<StreamBlockFile | null>;
  /** The block with the lowest number from this one on. */
  findFrom(number: bigint): Promise<StreamBlockFile | null>;
};

/** A place with stream files that is polled. */
export type PlaceView = {
  blocks: BlockFinder;
  /** Adds new names of record files to the queue, and looks for new blocks. */
  refresh(): Promise<void>;
  /** Whether names of the queue's first group, or of an earlier one, may follow at once. */
  isBehind(): boolean;
  /** Reading a file twice costs little. */
  isNear?: boolean;
  /** Before each unit is yielded, with its successors still in the queue. */
  onUnit?(unit: StreamUnit): void;
  close(): void;
};

export type ViewOptions = Pick<UnitsOptions, 'position' | 'live' | 'signal'> & {
  queue: GroupQueue;
  /** Something may be new. */
  onChange(): void;
};

/** Between the block that is due and a later one of the same stream: sixty years of one every two seconds. */
const maxGap = 1_000_000_000n;
/** To a block without successor: a day of them. */
const maxGapAlone = 43_200n;

/** Groups to work on before it is their turn: several times what a machine with two cores does at once. */
const groupsAhead = 8;

export type FollowOptions = {
  open(options: ViewOptions): PlaceView;
  /** How often to look for files without a notification. */
  pollMs: number;
  /** How long to wait for missing files while later ones are complete. */
  missingTimeoutMs: number;
  onPassedOver: TellPassedOver;
  /** The error if there is no stream file at all. */
  nothingThere(): Error;
};

export function follow({
  open,
  pollMs,
  missingTimeoutMs,
  onPassedOver,
  nothingThere,
}: FollowOptions): StreamSource['units'] {
  return async function* units({ position, live, isEnough, onUpcoming, showsFar = false, quietMs, signal }) {
    const queue = createGroupQueue(position()?.timestamp ?? null);
    const change = createChangeSignal(signal);
    const place = open({ queue, position, live, signal, onChange: change.notify });
    const { blocks } = place;
    let waitingSinceMs: number | null = null;
    let handedOut = false;
    let unitAtMs = performance.now();

    try {
      while (!signal?.aborted) {
        await place.refresh();
        let unit = await nextUnit();
        while (unit && !signal?.aborted) {
          handedOut = true;
          waitingSinceMs = null;
          place.onUnit?.(unit);
          if (place.isNear) onUpcoming?.(queue.upcoming(groupsAhead));
          yield unit;
          unitAtMs = performance.now();
          unit = await nextUnit();
        }
        if (wantsRecords() && place.isBehind()) continue;
        if (!live && !handedOut && queue.neverFilled() && !(await blocks.findFrom(0n))) throw nothingThere();
        if (!live || performance.now() - unitAtMs > (quietMs ?? Number.POSITIVE_INFINITY)) return;
        await change.wait(pollMs);
      }
    } catch (error) {
      const hasEnded = signal?.aborted && error === signal.reason;
      if (!hasEnded) throw error;
    } finally {
      place.close();
      change.close();
    }

    function wantsRecords(): boolean {
      return !position()?.onlyBlocks;
    }

    async function nextUnit(): Promise<StreamUnit | null> {
      const at = position();
      if (wantsRecords() && place.isBehind()) return null;
      const group = wantsRecords() ? queue.first() : null;
      if (group) {
        const overtaken = !isComplete(group) && queue.some((later) => later !== group && isComplete(later));
        if (!live || isComplete(group) || (overtaken && hasWaited())) {
          queue.removeFirst();
          return { kind: 'record', group };
        }
      }
      const next = at?.nextBlock ?? null;
      // A group that lacks files may be one that the block replaces.
      const block = next === null ? (group ? null : await blocks.findFrom(0n)) : await blocks.find(next);
      if (block) return { kind: 'block', block };
      // A block is missing: yielded once that is certain, so that it can be named.
      const later = next === null || group ? null : await findLater(next);
      return later && (!live || hasWaited()) ? { kind: 'block', block: later } : null;
    }

    /** The next block after a gap. One that is far ahead belongs to another stream, and is no sign of a gap. */
    async function findLater(due: bigint): Promise<StreamBlockFile | null> {
      for (let from = due; ; ) {
        const later = await blocks.findFrom(from);
        if (!later) return null;
        const gap = later.number - due;
        const isNear = showsFar || gap <= maxGapAlone || (await blocks.find(later.number + 1n)) !== null;
        if (gap <= maxGap && isNear) return later;
        onPassedOver({
          path: `${later.location}/${later.name}`,
          reason: `block ${later.number} lies too far ahead of block ${due}, which is due`,
        });
        from = later.number + 1n;
      }
    }

    function hasWaited(): boolean {
      waitingSinceMs ??= performance.now();
      return performance.now() - waitingSinceMs >= missingTimeoutMs;
    }

    function isComplete(group: StreamFileGroup): boolean {
      return group.copies.some((copy) => copy.recordName !== null) && isEnough(group);
    }
  };
}

/** Lets a reader wait for the next change. @param signal ends every wait */
function createChangeSignal(signal: AbortSignal | undefined) {
  let changed = false;
  let wake: (() => void) | null = null;
  const notify = (): void => {
    changed = true;
    wake?.();
  };
  signal?.addEventListener('abort', notify);
  return {
    notify,
    /** Waits for the next change, at most this long; a change since the last wait counts. */
    async wait(timeoutMs: number): Promise<void> {
      if (!changed && !signal?.aborted) {
        await new Promise<void>((done) => {
          const timer = setTimeout(done, timeoutMs);
          wake = () => {
            clearTimeout(timer);
            done();
          };
        });
        wake = null;
      }
      changed = false;
    },
    close: () => signal?.removeEventListener('abort', notify),
  };
}
