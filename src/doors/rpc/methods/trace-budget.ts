// What one answer may hold of recorded calls, of however many transactions they are: contracts choose how long the data
// of each is.
import { rpcError } from '../terms/rpc-error.ts';

export type TraceBudget = {
  /** Throws RpcError once there is more than an answer may hold. */
  take(bytes: number): void;
};

/** Of one answer. */
export const maxCalls = 10_000;
/** Of data, which are twice as long as text. */
export const maxBytes = 32 * 2 ** 20;

export function createTraceBudget(max = maxBytes): TraceBudget {
  let left = max;
  return {
    take(bytes) {
      left -= bytes;
      if (left < 0) throw rpcError.longTraces(max);
    },
  };
}
