import { ThreadLost } from '../../../../calls/pool/call-pool.ts';
import { refuse } from '../../../frame/request-error.ts';

/** Throws RequestError where the thread was lost, and what refuses the answer for load (kit/cause). */
export async function waitForThread<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ThreadLost ? refuse('callLost') : error;
  }
}
