// Code of a contract as opcodes for readers. What lies behind the code (data, metadata) is read as opcodes, too:
// nothing says where code ends.
import { opcodeName } from '../../packages/machine/opcodes/table.ts';

export type Instruction = {
  /** Position of its first byte. */
  at: number;
  name: string;
  /** What is pushed; fewer bytes than the opcode says where the code ends. */
  operand: Buffer | null;
};

const push1 = 0x60;
const push32 = 0x7f;

/**
 * At most `limit` instructions from the first that begins at `from` or after it; `next`: where the following begins,
 * null = none does.
 */
export function disassemble(
  code: Buffer,
  { from, limit }: { from: number; limit: number },
): { instructions: Instruction[]; next: number | null } {
  const instructions: Instruction[] = [];
  let at = 0;
  while (at < code.length && instructions.length < limit) {
    const opcode = code[at]!;
    const size = opcode >= push1 && opcode <= push32 ? opcode - push1 + 1 : 0;
    const end = at + 1 + size;
    if (at >= from) {
      const operand = size === 0 ? null : code.subarray(at + 1, Math.min(end, code.length));
      instructions.push({ at, name: opcodeName(opcode), operand });
    }
    at = end;
  }
  return { instructions, next: at < code.length ? at : null };
}
