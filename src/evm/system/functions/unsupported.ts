// Functions whose outcome does not follow from what is stored.
import { NotSupported } from '../../base/halt.ts';
import { type SystemFunction, systemFunction } from './function.ts';

/** `changes`: static frames halt before. */
export function unsupported(signature: string, { changes = true } = {}): SystemFunction {
  return systemFunction(signature, changes, (_, { call }) => {
    throw new NotSupported(signature, call.caller);
  });
}
