// The forms in which system contracts answer.

import { type AbiParameter, parseParameters } from '../../../abi/abi-type.ts';
import type { AbiValue } from '../../../abi/abi-value.ts';
import { encodeValues } from '../../../abi/encode-values.ts';
import { type ResponseCodeName, responseCode } from '../../../protocol/hapi/response-codes.ts';
import { type Halt, halts } from '../../base/halt.ts';
import { writeWord } from '../../base/word.ts';
import type { Reply } from './function.ts';

type Result = readonly AbiParameter[];

const wordResult = parseParameters('(uint256)');

export function succeed(output: Uint8Array, gas: number, status: ResponseCodeName = 'SUCCESS'): Reply {
  return { status, outcome: { kind: 'success', output, gas } };
}

export function answer(types: Result, values: readonly AbiValue[], gas: number, status?: ResponseCodeName): Reply {
  return succeed(encodeValues(types, values), gas, status);
}

/** The code alone, in a word. */
export function answerCode(status: ResponseCodeName, gas: number): Reply {
  return answer(wordResult, [BigInt(responseCode[status])], gas, status);
}

/** Before anything is dispatched: without a child record. */
export function revert(output: Uint8Array, gas: number): Reply {
  return { status: 'SUCCESS', outcome: { kind: 'revert', output, gas } };
}

/** With the letters of the code's name. */
export function revertByName(status: ResponseCodeName, gas: number): Reply {
  return { status, outcome: { kind: 'revert', output: new TextEncoder().encode(status), gas } };
}

/** With the code's number, in a word. */
export function revertByNumber(status: ResponseCodeName, gas: number): Reply {
  return { status, outcome: { kind: 'revert', output: writeWord(BigInt(responseCode[status])), gas } };
}

export function halt(reason: Halt = halts.precompile): Reply {
  // A halt leaves no child record.
  return { status: 'SUCCESS', outcome: { kind: 'halt', halt: reason } };
}
