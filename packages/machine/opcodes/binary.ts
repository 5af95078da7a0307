import { type Opcode, opcode } from './opcode.ts';

/**
 * Takes two words and leaves one; `a` was on top. A function of its own for each opcode would gain 4 % of a loop of
 * arithmetic.
 */
export function binary(code: number, name: string, gas: number, compute: (a: bigint, b: bigint) => bigint): Opcode {
  return opcode(code, name, 2, 1, gas, (frame) => {
    const { stack } = frame;
    const top = --frame.size;
    stack[top - 1] = compute(stack[top]!, stack[top - 1]!);
  });
}
