// The forms in which system contracts answer.
import { type ResponseCodeName, responseCode } from '../../../protocol/hapi/response-codes.ts';
import { type Halt, halts } from '../../base/halt.ts';
import { writeWord } from '../../base/word.ts';
import { encodeAbi } from '../abi/encode.ts';
import { type AbiType, type AbiValue, abiTuple } from '../abi/types.ts';
import type { Reply } from './function.ts';

type Result = AbiType & { kind: 'tuple' };

const wordResult = abiTuple('(uint256)');

export function succeed(output: Uint8Array, gas: number, status: ResponseCodeName = 'SUCCESS'): Reply {
  return { status, outcome: { kind: 'success', output, gas } };
}

export function answer(types: Result, values: readonly AbiValue[], gas: number, status?: ResponseCodeName): Reply {
  return succeed(encodeAbi(types, values), gas, status);
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
