// Renders a page once for all readers: all concurrent requests share one rendering, and between two renderings the
// thread is free for nine times as long as the last one took. So readers never take more than a tenth of the thread. 64
// clients that requested the API document, 50 ms each time, delayed an account by 12.8 s and liveness by 2.5 s.
import { Counter, type Registry } from 'prom-client';
import { pause } from '../../../packages/kit/pause.ts';

export type Rendering<T> = {
  /** The cached result, or a rendering that begins after this call. Throws its errors. */
  ask(): Promise<T>;
};

export type RenderingOptions<T> = {
  make(): Promise<T>;
  /** Whether a result of age `ageMs` may be served again; default never. */
  mayKeep?(ageMs: number): boolean;
  onMade?(): void;
  /** Monotonic, ms. */
  clock?: () => number;
};

/** Times as long as the rendering took … */
const restTimes = 9;
/** … but a reader waits no longer than this for others. */
const maxRestMs = 500;

export function createRendering<T>(options: RenderingOptions<T>): Rendering<T> {
  const { make, mayKeep = () => false, onMade = () => {}, clock = () => performance.now() } = options;
  let kept: { value: T; begunMs: number } | null = null;
  /** A rendering that has not begun: new readers can share it. */
  let next: Promise<T> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let restUntilMs = 0;

  return {
    async ask() {
      if (kept && mayKeep(clock() - kept.begunMs)) return kept.value;
      // Each reader that waits has a connection, and those are shared by clients: no number of them keeps another out.
      next ??= begin();
      return next;
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

/** Counts how often each page was rendered: otherwise its readers are invisible. */
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
