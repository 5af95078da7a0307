// The readers of all workers as one, for the process that started them and chooses where they read.
import type { PlaceReaders } from '../../../packages/store/replicas/choose-place.ts';
import type { FromReader, ToReader } from './worker-messages.ts';

export type WorkerReaders = PlaceReaders & {
  /** A worker that holds its reads until `go`. */
  join(worker: number, say: (command: ToReader) => void): void;
  leave(worker: number): void;
  hear(worker: number, said: FromReader): void;
};

/** A worker has to confirm in time that it holds its reads, or counts as still reading. */
const answerWithinMs = 500;

/** `onFailure`: a worker could not read from a place. Resolves after it was polled. */
export function createWorkerReaders(onFailure: (place: number) => Promise<void>): WorkerReaders {
  const workers = new Map<number, (command: ToReader) => void>();
  let current: number | null = null;
  let isHeld = true;
  let known: Extract<ToReader, { do: 'tell' }> | null = null;
  let holds = 0;
  let hold: { id: number; left: Set<number>; areDrained: boolean; done(): void } | null = null;

  function settle(worker: number, isDrained: boolean): void {
    if (!hold?.left.delete(worker)) return;
    hold.areDrained &&= isDrained;
    if (hold.left.size === 0) hold.done();
  }

  function tellAll(command: ToReader): void {
    for (const say of workers.values()) say(command);
  }

  return {
    async hold(withinMs) {
      isHeld = true;
      holds += 1;
      const { promise, resolve } = Promise.withResolvers<void>();
      const own = { id: holds, left: new Set(workers.keys()), areDrained: true, done: resolve };
      hold = own;
      tellAll({ do: 'hold', id: own.id, withinMs });
      if (own.left.size === 0) resolve();
      const timer = setTimeout(resolve, withinMs + answerWithinMs);
      await promise;
      clearTimeout(timer);
      hold = null;
      return own.areDrained && own.left.size === 0;
    },
    go(place) {
      current = place;
      isHeld = false;
      tellAll({ do: 'go', place });
    },
    lose: (place) => tellAll({ do: 'lose', place }),
    regain: (place) => tellAll({ do: 'regain', place }),
    tell(ends, epoch) {
      known = { do: 'tell', ends, epoch };
      tellAll(known);
    },
    join(worker, say) {
      workers.set(worker, say);
      if (known) say(known);
      if (!isHeld && current !== null) say({ do: 'go', place: current });
    },
    leave(worker) {
      workers.delete(worker);
      // Its reads have ended with it.
      settle(worker, true);
    },
    async hear(worker, said) {
      if (said.says === 'held') {
        if (said.id === hold?.id) settle(worker, said.isDrained);
        return;
      }
      await onFailure(said.place);
      workers.get(worker)?.({ do: 'looked', id: said.id });
    },
  };
}
