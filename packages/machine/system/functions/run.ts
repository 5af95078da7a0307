// From the input of a system contract to its answer.

import type { AbiValue } from '../../../abi/abi-value.ts';
import { decodeValues } from '../../../abi/decode-values.ts';
import { readSelector, selectorBytes } from '../../../abi/selector.ts';
import { AbiError } from '../../../abi/walk-data.ts';
import { halts } from '../../base/halt.ts';
import { noBytes } from '../../frame/frame.ts';
import type { SystemOutcome } from '../../frame/system-contract.ts';
import type { Context, FunctionTable, SystemFunction } from './function.ts';

/** The function that `input` begins with. Unknown ones succeed with empty output and take all gas of the call. */
export function runFunction(
  table: FunctionTable,
  input: Uint8Array,
  context: Omit<Context, 'signature'>,
): SystemOutcome {
  const { call } = context;
  if (input.length < selectorBytes) return { kind: 'halt', halt: halts.precompile };
  const found = table.get(readSelector(input));
  if (found === undefined) return { kind: 'success', output: noBytes, gas: call.gas };
  if (found.changes && call.isStatic) return { kind: 'halt', halt: halts.staticWrite };
  const args = readArguments(found, input);
  if (args === null) return { kind: 'halt', halt: halts.precompile };
  const { status, outcome } = found.run(args, { ...context, signature: found.signature });
  if (status !== 'SUCCESS') context.addFailure(status);
  return outcome;
}

/** null: they cannot be decoded. */
function readArguments({ inputs }: SystemFunction, input: Uint8Array): readonly AbiValue[] | null {
  try {
    return decodeValues(inputs, input.subarray(selectorBytes));
  } catch (error) {
    if (error instanceof AbiError) return null;
    throw error;
  }
}
