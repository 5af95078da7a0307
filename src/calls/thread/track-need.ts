// Keeps count of the gas that a transaction needs: a caller keeps a 64th of its gas for itself, and refunds come only
// at the end, so that more is needed than is used.
import type { Frame } from '../../../packages/machine/frame/frame.ts';
import type { Tracer } from '../../../packages/machine/frame/machine.ts';
import { prices } from '../../../packages/machine/rules/gas-prices.ts';

export type Need = {
  tracer: Tracer;
  /** The smallest gas limit that should do, after a run with `limit`. */
  least(limit: number): number;
};

type Open = { gas: number; need: number };

/** What a callee with a value gets for nothing. */
const stipend = 2300;

/** Where less is left, SSTORE halts, whatever it would cost (EIP-2200). */
const leftForStore = prices.storeReserve + 1;

export function trackNeed(): Need {
  let open: Open[] = [];
  let outermost: Open | null = null;
  return {
    tracer: {
      store(frame) {
        const own = open.at(-1)!;
        own.need = Math.max(own.need, own.gas - frame.gas + leftForStore);
      },
      enter({ gas, parent }: Frame) {
        if (parent === null) open = [];
        open.push({ gas, need: 0 });
      },
      leave(frame: Frame) {
        const own = open.pop()!;
        own.need = Math.max(own.need, own.gas - frame.gas);
        const { parent } = frame;
        const caller = open.at(-1);
        if (parent === null || caller === undefined) {
          outermost = own;
          return;
        }
        const isGiven = !frame.isCreation && frame.value > 0n && frame.caller === parent.account.address;
        const asked = Math.max(0, own.need - (isGiven ? stipend : 0));
        // The parent has paid for the call already, what it handed over too.
        const handed = own.gas - (isGiven ? stipend : 0);
        const spent = caller.gas - parent.gas - handed;
        caller.need = Math.max(caller.need, spent + Math.ceil((asked * 64) / 63));
      },
    },
    least: (limit) => (outermost === null ? limit : limit - outermost.gas + outermost.need),
  };
}
