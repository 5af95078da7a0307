import { PoolFull } from '../../../../calls/pool/call-pool.ts';
import { refuse } from '../../../frame/request-error.ts';

/** Throws RequestError where too many wait already. */
export async function waitForThread<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof PoolFull ? refuse('overloaded') : error;
  }
}
