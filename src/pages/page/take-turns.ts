// Pages go on one by one. Answers for many of them often come at once, and a page takes several times as long to write
// as an answer of the API: written in a row they would hold every other request. Between two of them the thread looks
// for what has come in.

/** Resolves when it is the turn of who asks, in the order in which they asked. */
export type TakeTurn = () => Promise<void>;

export function createTurns(): TakeTurn {
  const waiting: (() => void)[] = [];
  let first = 0;
  const begin = (): void => {
    waiting[first++]!();
    // What is asked for from here on, even now, comes after the next look.
    if (first < waiting.length) setImmediate(begin);
    else {
      waiting.length = 0;
      first = 0;
    }
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(begin);
    });
}
