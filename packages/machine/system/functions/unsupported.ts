// Functions whose outcome does not follow from what is stored.
import { NotSupported } from '../../base/halt.ts';
import { type Context, type SystemFunction, systemFunction } from './function.ts';

/** `changes`: static frames halt before. */
export function unsupported(signature: string, { changes = true } = {}): SystemFunction {
  return systemFunction(signature, changes, (_, context) => {
    throw notSupported(context);
  });
}

/** To be thrown where the outcome of a function that is simulated does not follow either. */
export function notSupported({ signature, call }: Context): NotSupported {
  return new NotSupported(signature, call.caller);
}
