// Every method that is answered, in one table (docs/reference/json-rpc.md).
import type { Method } from '../reading/method.ts';
import { adHocTraceMethods } from './ad-hoc-trace-methods.ts';
import { blockMethods } from './block-methods.ts';
import { callMethods } from './call-methods.ts';
import { constantMethods } from './constant-methods.ts';
import { feeMethods } from './fee-methods.ts';
import { logMethods } from './log-methods.ts';
import { otterscanMethods } from './otterscan-methods.ts';
import { pathTraceMethods } from './path-trace-methods.ts';
import { rawMethods } from './raw-methods.ts';
import { sendMethods } from './send-methods.ts';
import { simulateMethods } from './simulate-methods.ts';
import { stateMethods } from './state-methods.ts';
import { traceMethods } from './trace-methods.ts';
import { transactionMethods } from './transaction-methods.ts';

export const methods: ReadonlyMap<string, Method> = joinFamilies([
  adHocTraceMethods,
  blockMethods,
  callMethods,
  constantMethods,
  feeMethods,
  logMethods,
  otterscanMethods,
  pathTraceMethods,
  rawMethods,
  sendMethods,
  simulateMethods,
  stateMethods,
  traceMethods,
  transactionMethods,
]);

/** Throws where a method is in two. */
function joinFamilies(families: readonly Readonly<Record<string, Method>>[]): ReadonlyMap<string, Method> {
  const joined = new Map<string, Method>();
  for (const [name, method] of families.flatMap((family) => Object.entries(family))) {
    if (joined.has(name)) throw new Error(`The method ${name} is in two families`);
    joined.set(name, method);
  }
  return joined;
}
