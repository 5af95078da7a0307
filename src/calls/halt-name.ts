// What ends a frame without its own will, as nodes of Ethereum name it: clients tell by these words that a call fails
// whenever it is made.
import { halts } from '../../packages/machine/base/halt.ts';

const names: ReadonlyMap<string, string> = new Map([
  [halts.outOfGas.message, 'out of gas'],
  [halts.invalidOperation.message, 'invalid opcode'],
  [halts.badJump.message, 'invalid jump destination'],
  [halts.stackUnderflow.message, 'stack underflow'],
  [halts.stackOverflow.message, 'stack limit reached 1024'],
]);

/** null: it did not halt. */
export function nameHalt({
  halt,
  isBelowIntrinsic,
}: {
  halt: string | null;
  isBelowIntrinsic: boolean;
}): string | null {
  if (isBelowIntrinsic) return 'out of gas';
  return halt === null ? null : (names.get(halt) ?? 'vm execution error');
}
