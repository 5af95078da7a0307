// Every method that is answered, in one table (docs/reference/json-rpc.md).
import type { Method } from '../reading/method.ts';
import { blockMethods } from './block-methods.ts';
import { callMethods } from './call-methods.ts';
import { constantMethods } from './constant-methods.ts';
import { feeMethods } from './fee-methods.ts';
import { logMethods } from './log-methods.ts';
import { stateMethods } from './state-methods.ts';
import { traceMethods } from './trace-methods.ts';
import { transactionMethods } from './transaction-methods.ts';

export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries({
    ...blockMethods,
    ...callMethods,
    ...constantMethods,
    ...feeMethods,
    ...logMethods,
    ...stateMethods,
    ...traceMethods,
    ...transactionMethods,
  }),
);
