import { expect, it } from 'vitest';
import { type Cause, CausedError } from './shares/cause.ts';
import { whenThereIsRoom } from './when-there-is-room.ts';

class Refusal extends CausedError {
  readonly causedBy: Cause;
  constructor(causedBy: Cause) {
    super(causedBy);
    this.causedBy = causedBy;
  }
}

/** Ends with these, one after the other, then is answered. */
function createQuestion(ends: readonly Cause[]) {
  const left = [...ends];
  let asked = 0;
  return {
    asked: () => asked,
    async ask(): Promise<string> {
      asked += 1;
      const end = left.shift();
      if (end !== undefined) throw new Refusal(end);
      return 'answer';
    },
  };
}

const staying = new AbortController().signal;

it('asks again where it was refused', async () => {
  const { ask, asked } = createQuestion(['overShare', 'overloaded', 'overloaded']);
  expect(await whenThereIsRoom(ask, staying, 1)).toBe('answer');
  expect(asked()).toBe(4);
});

it.each<[Cause, number]>([
  ['overloaded', 8],
  ['timeout', 1],
  ['unavailable', 1],
])('%s: gives up after being asked %d times', async (cause, times) => {
  const { ask, asked } = createQuestion(Array.from({ length: 20 }, () => cause));
  await expect(whenThereIsRoom(ask, staying, 0.1)).rejects.toThrow(cause);
  expect(asked()).toBe(times);
});

it('waits for nobody who is gone', async () => {
  const leaving = new AbortController();
  const { ask, asked } = createQuestion(['overloaded', 'overloaded']);
  const asking = whenThereIsRoom(ask, leaving.signal, 60_000);
  leaving.abort();
  await expect(asking).rejects.toThrow('overloaded');
  expect(asked()).toBe(1);
});
