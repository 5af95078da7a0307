// Which states of the ledger an answer may show: those that were the newest at some time between the oldest that it may
// be and its arrival. Times are those of one clock, ms.

export type Answer = {
  server: string;
  url: string;
  sentMs: number;
  receivedMs: number;
  /** As its Cache-Control promises. */
  maxAgeMs: number;
  /** What it says: equal texts are equal answers. */
  text: string;
};

/** A state is the newest from a moment in [begunMs, visibleMs] on until one in the next one's. */
type State = { begunMs: number; visibleMs: number };

type AnswerWindows = {
  /** Visible to a server at that time; called in the order of states, beginning with 0. */
  addState(server: string, state: State): void;
  begunOf(server: string, state: number): number;
  /** First and last state that the answer may show. */
  windowOf(answer: Answer): { first: number; last: number };
  /** How long before the request the state had been replaced, ms; 0 = it had not been. */
  ageOf(answer: Answer, state: number): number;
};

export function createAnswerWindows(): AnswerWindows {
  const states = new Map<string, State[]>();
  const of = (server: string): State[] => states.get(server)!;
  return {
    addState(server, state) {
      if (!states.has(server)) states.set(server, []);
      of(server).push(state);
    },
    begunOf: (server, state) => of(server)[state]!.begunMs,
    windowOf({ server, sentMs, receivedMs, maxAgeMs }) {
      const all = of(server);
      const last = all.findLastIndex(({ begunMs }) => begunMs <= receivedMs);
      const replaced = all.findIndex((_, state) => {
        const next = all[state + 1];
        return next === undefined || next.visibleMs >= sentMs - maxAgeMs;
      });
      return { first: replaced, last };
    },
    ageOf({ server, sentMs }, state) {
      const next = of(server)[state + 1];
      return next === undefined ? 0 : Math.max(0, sentMs - next.visibleMs);
    },
  };
}
