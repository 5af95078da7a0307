// Repeats requests to an object store: temporary failures (it is busy, the connection broke, the answer stalled or
// ended early) are tried again with exponential backoff and jitter. A store that throttles gets fewer requests at a
// time, and gradually more again.
import { pause } from '../../kit/pause.ts';
import { isPassing, isStoreProblem, tellStoreProblem } from './bucket-error.ts';
import {
  type Attempt,
  BrokenAnswerError,
  type ListedPage,
  type ListQuestion,
  type ObjectStore,
  ObjectStoreError,
} from './object-store.ts';

export type AskAgainOptions = {
  /** Longest silence before or within an answer. */
  timeoutMs: number;
  /** First pause before a request is repeated. */
  firstPauseMs?: number;
  /** With the pauses, twelve take about half a minute. */
  maxAttempts?: number;
};

/** Throw StreamSourceError once asking again is useless. `signal` ends the wait with its reason. */
export type AskedStore = {
  name: string;
  list(question: ListQuestion, signal?: AbortSignal): Promise<ListedPage>;
  get(key: string, signal?: AbortSignal): Promise<Buffer>;
};

const longestPauseMs = 5_000;
const maxRequests = 64;
const minRequests = 4;
/** An answer that trickles in may take this many times the longest silence. */
const maxTimeouts = 12;

export function askAgain(
  store: ObjectStore,
  { timeoutMs, firstPauseMs = 200, maxAttempts = 12 }: AskAgainOptions,
): AskedStore {
  const gate = createGate();

  async function ask<Answer>(place: string, question: (attempt: Attempt) => Promise<Answer>, signal?: AbortSignal) {
    for (let count = 1; ; count++) {
      await gate.enter(signal);
      let failure: unknown;
      try {
        const answer = await oneAttempt(question, signal);
        gate.leave('answered');
        return answer;
      } catch (error) {
        failure = error;
        gate.leave(isAskedTooOften(error) ? 'askedTooOften' : 'failed');
      }
      signal?.throwIfAborted();
      // An object that is too large, or a defect of this program.
      if (!isStoreProblem(failure)) throw failure;
      if (!isPassing(failure) || count === maxAttempts) throw tellStoreProblem(failure, { place, store });
      const maxMs = Math.min(firstPauseMs * 2 ** (count - 1), longestPauseMs);
      const wantedMs = failure instanceof ObjectStoreError ? (failure.retryAfterMs ?? 0) : 0;
      const restMs = Math.max(Math.random() * maxMs, Math.min(wantedMs, 6 * longestPauseMs));
      if (!(await pause(restMs, signal))) signal?.throwIfAborted();
    }
  }

  async function oneAttempt<Answer>(question: (attempt: Attempt) => Promise<Answer>, signal?: AbortSignal) {
    const silent = new AbortController();
    const tell = (): void => silent.abort(new BrokenAnswerError(`no answer within ${timeoutMs / 1000} s`));
    let silence = setTimeout(tell, timeoutMs);
    const drops = setTimeout(tell, maxTimeouts * timeoutMs);
    try {
      return await question({
        signal: signal ? AbortSignal.any([signal, silent.signal]) : silent.signal,
        onBytes() {
          clearTimeout(silence);
          silence = setTimeout(tell, timeoutMs);
        },
      });
    } catch (error) {
      // Libraries wrap the reason in another error.
      throw silent.signal.aborted ? silent.signal.reason : error;
    } finally {
      clearTimeout(silence);
      clearTimeout(drops);
    }
  }

  return {
    name: store.name,
    list: async (question, signal) =>
      ask(`${store.name}/${question.prefix}`, (attempt) => store.list(question, attempt), signal),
    get: async (key, signal) => ask(`${store.name}/${key}`, (attempt) => store.get(key, attempt), signal),
  };
}

function isAskedTooOften(error: unknown): boolean {
  return error instanceof ObjectStoreError && (error.status === 503 || error.status === 429);
}

/** Limits concurrent requests: halved when the store throttles, one more with each full round. */
function createGate() {
  let allowed = maxRequests;
  let inside = 0;
  const waiting: (() => void)[] = [];
  const admit = (): void => {
    while (inside < Math.floor(allowed) && waiting.length > 0) {
      inside++;
      waiting.shift()!();
    }
  };
  return {
    async enter(signal?: AbortSignal): Promise<void> {
      await new Promise<void>((done) => {
        waiting.push(done);
        admit();
      });
      if (!signal?.aborted) return;
      inside--;
      admit();
      throw signal.reason;
    },
    leave(outcome: 'answered' | 'failed' | 'askedTooOften'): void {
      inside--;
      if (outcome === 'answered') allowed = Math.min(maxRequests, allowed + 1 / allowed);
      if (outcome === 'askedTooOften') allowed = Math.max(minRequests, allowed * 0.75);
      admit();
    },
  };
}
