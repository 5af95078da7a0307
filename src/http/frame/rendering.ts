// What is made for whoever asks, a page say, and not for each: all that ask at a time share one making, and between two of
// them the thread is free for nine times as long as the last one took. So no number of readers takes more than a tenth of the
// thread by it. 64 clients that asked for the API document, 50 ms each time, held an account for 12.8 s and liveness for 2.5 s.
import { Counter, type Registry } from 'prom-client';
import { pause } from '../../kit/pause.ts';
import { refuse } from './request-error.ts';

export type Rendering<T> = {
  /** What is kept, or a making that begins after this call. Throws RequestError (`overloaded`), and what the making throws. */
  ask(): Promise<T>;
};

export type RenderingOptions<T> = {
  make(): Promise<T>;
  /** Whether what was made `ageMs` ago may be given again; without it never. */
  mayKeep?(ageMs: number): boolean;
  onMade?(): void;
  /** ms, never set back. */
  clock?: () => number;
};

/** Times as long as the making took … */
const restTimes = 9;
/** … but a reader waits no longer than this for the sake of others. */
const maxRestMs = 500;
/** Beyond so many that wait, others are refused. */
const maxWaitingReaders = 1000;

export function createRendering<T>(options: RenderingOptions<T>): Rendering<T> {
  const { make, mayKeep = () => false, onMade = () => {}, clock = () => performance.now() } = options;
  let kept: { value: T; begunMs: number } | null = null;
  /** Of those that have not begun: who asks now can share it. */
  let next: Promise<T> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let restUntilMs = 0;
  let waiting = 0;

  return {
    async ask() {
      if (kept && mayKeep(clock() - kept.begunMs)) return kept.value;
      if (waiting >= maxWaitingReaders) throw refuse('overloaded');
      next ??= begin();
      waiting += 1;
      try {
        return await next;
      } finally {
        waiting -= 1;
      }
    },
  };

  function begin(): Promise<T> {
    const before = last;
    const own = (async () => {
      await before.catch(() => {});
      const restMs = restUntilMs - clock();
      if (restMs > 0) await pause(restMs);
      next = null;
      return kept && mayKeep(clock() - kept.begunMs) ? kept.value : makeOne();
    })();
    last = own;
    return own;
  }

  async function makeOne(): Promise<T> {
    const begunMs = clock();
    onMade();
    try {
      const value = await make();
      kept = { value, begunMs };
      return value;
    } finally {
      const endMs = clock();
      restUntilMs = endMs + Math.min(maxRestMs, restTimes * (endMs - begunMs));
    }
  }
}

/** Counts how often each page was made: it tells of readers that nothing else is seen of. */
export function countRenderings(registry: Registry): (page: string) => () => void {
  const made = new Counter({
    name: 'http_pages_rendered_total',
    help: 'How often pages and documents were made; every reader gets what was made for all.',
    labelNames: ['page'] as const,
    registers: [registry],
  });
  return (page) => {
    made.inc({ page }, 0);
    return () => made.inc({ page });
  };
}
