import { refuse } from '../../../../packages/web-server/request-error.ts';
import { ThreadLost } from '../../../calls/pool/call-pool.ts';

/** Throws RequestError where the thread was lost, and what refuses the answer for load (kit/shares/cause). */
export async function waitForThread<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ThreadLost ? refuse('callLost') : error;
  }
}
