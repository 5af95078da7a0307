// Accounts that a transaction touches, whether it changes them or not: Ethereum deletes those of them that are empty
// (EIP-161). Ledgers have no such rule.
import { toAddress } from '../../../packages/machine/base/word.ts';
import type { Tracer } from '../../../packages/machine/frame/machine.ts';

const selfDestruct = 0xff;

/** The set is whole after the run. */
export function trackTouched(): { tracer: Tracer; touched: ReadonlySet<bigint> } {
  const touched = new Set<bigint>();
  /** Of the frames that are open. What one that fails has touched does not count. */
  const open: Set<bigint>[] = [];
  const tracer: Tracer = {
    enter: ({ account }) => open.push(new Set([account.address])),
    before({ stack, size }, opcode) {
      if (opcode === selfDestruct && size > 0) open.at(-1)!.add(toAddress(stack[size - 1]!));
    },
    leave({ state }) {
      const own = open.pop()!;
      if (state !== 'stopped') return;
      const parent = open.at(-1) ?? touched;
      for (const address of own) parent.add(address);
    },
  };
  return { tracer, touched };
}
