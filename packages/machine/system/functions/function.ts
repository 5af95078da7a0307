// What a function of a system contract is, and how its answer is made.

import { type AbiParameter, parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import { selectorOf } from '../../../abi/selector.ts';
import type { ResponseCodeName } from '../../../protocol/hapi/response-codes.ts';
import type { SystemCall, SystemOutcome, SystemState } from '../../frame/system-contract.ts';

export type Context = SystemState & {
  call: SystemCall;
  /** Of the function that was called. */
  signature: string;
  /** Number of the token, schedule or account whose facade was called; null: the system contract itself was. */
  facade: bigint | null;
  /** Number of who asks. */
  asker: bigint;
};

export type SystemFunction = {
  signature: string;
  selector: number;
  inputs: readonly AbiParameter[];
  /** Static frames halt. */
  changes: boolean;
  run(args: readonly AbiValue[], context: Context): Reply;
};

/** With the status of the child record that the ledger would make of it. */
export type Reply = { status: ResponseCodeName; outcome: SystemOutcome };

export type Run = SystemFunction['run'];

export function systemFunction(signature: string, changes: boolean, run: Run): SystemFunction {
  const inputs = parseParameters(signature.slice(signature.indexOf('(')));
  return { signature, selector: selectorOf(signature), inputs, changes, run };
}

export type FunctionTable = ReadonlyMap<number, SystemFunction>;

/** Throws if two have one selector. */
export function functionTable(functions: readonly SystemFunction[]): FunctionTable {
  const table = new Map<number, SystemFunction>();
  for (const one of functions) {
    const other = table.get(one.selector);
    if (other) throw new Error(`${one.signature} and ${other.signature} have one selector`);
    table.set(one.selector, one);
  }
  return table;
}
