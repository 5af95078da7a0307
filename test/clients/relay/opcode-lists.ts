// Two lists of the opcodes of a transaction: of the relay with the state after each and the outermost call at depth 0, of
// the mirror with the state before each and that call at depth 1.

export type ListedOpcode = {
  pc: number;
  op: string;
  gas: number;
  depth: number;
  /** Words in hex, the top one last. */
  stack: readonly string[] | null;
};

/** Whether one run can have both: the state after an opcode is that before the next one of the same call. */
export function isSameRun(after: readonly ListedOpcode[], before: readonly ListedOpcode[]): boolean {
  return (
    after.length === before.length &&
    after.every((one, at) => {
      const other = before[at]!;
      if (one.op !== other.op || one.depth + 1 !== other.depth) return false;
      const next = before[at + 1];
      if (next === undefined || next.depth !== other.depth) return true;
      return one.pc === next.pc && one.gas === next.gas && isSameStack(one.stack, next.stack);
    })
  );
}

function isSameStack(one: ListedOpcode['stack'], other: ListedOpcode['stack']): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((word, at) => BigInt(`0x${word}`) === BigInt(`0x${other[at]}`));
}
