import { PoolFull, ThreadLost } from '../../../../calls/pool/call-pool.ts';
import { refuse } from '../../../frame/request-error.ts';

/** Throws RequestError where too many wait already, its client has its share, or the thread was lost. */
export async function waitForThread<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PoolFull) throw refuse(error.by === 'client' ? 'overShare' : 'overloaded');
    throw error instanceof ThreadLost ? refuse('callLost') : error;
  }
}
