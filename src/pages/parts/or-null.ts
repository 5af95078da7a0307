// Questions whose answer a page can do without.
import { RequestError } from '../../../packages/web-server/request-error.ts';

/** null = the ledger does not say it. */
export async function orNull<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null;
    throw error;
  }
}
