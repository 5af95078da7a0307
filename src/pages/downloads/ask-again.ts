// A question in the middle of a file: where the database has no time for it, it is asked again a little later.

import { createBackOff } from '../../../packages/kit/back-off.ts';
import { pause } from '../../../packages/kit/pause.ts';
import { QueryError } from '../../../packages/postgres/wire/database.ts';
import { queueIsFull } from '../../../packages/postgres/wire/waiting-line.ts';

const maxAttempts = 6;

export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  const delays = createBackOff(200, 5_000);
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof QueryError && error.code === queueIsFull) || attempt === maxAttempts) throw error;
      await pause(delays.next());
    }
  }
}
