// Pages go on a few at a time. Answers for many of them often come at once, and a page takes several times as long to
// write as an answer of the API: written in a row they would hold every other request. After a millisecond of them the
// thread looks for what has come in. To look after each page made a list an eighth dearer.

/** Resolves when it is the turn of who asks, in the order in which they asked. */
export type TakeTurn = () => Promise<void>;

/** Another page goes on only if those before it have taken less than this since the last look. */
const maxInRowMs = 1;

export function createTurns(clock: () => number = () => performance.now()): TakeTurn {
  const waiting: (() => void)[] = [];
  // Between two looks the loop calls what was there at the first of them, and what is asked for meanwhile after the
  // second.
  let looks = 0;
  let lookedMs = 0;
  const begin = (askedAfter: number): void => {
    if (askedAfter === looks) {
      looks += 1;
      lookedMs = clock();
    } else if (clock() - lookedMs >= maxInRowMs) {
      setImmediate(begin, looks);
      return;
    }
    waiting.shift()!();
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      setImmediate(begin, looks);
    });
}
