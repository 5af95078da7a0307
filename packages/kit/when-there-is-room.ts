// A question of something that has begun, a file or a stream: it waits where a first question would be refused.
import { createBackOff } from './back-off.ts';
import { pause } from './pause.ts';
import { isOverload } from './shares/cause.ts';

/** Over some 25 s. */
const maxAttempts = 8;

/** Rejects as the question does: after so many refusals, when the signal aborts, and at once where it failed. */
export async function whenThereIsRoom<T>(ask: () => Promise<T>, signal: AbortSignal, firstMs = 100): Promise<T> {
  const delays = createBackOff(firstMs, 100 * firstMs);
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!isOverload(error) || attempt === maxAttempts || !(await pause(delays.next(), signal))) throw error;
    }
  }
}
