// Other views of the tree of calls: what geth's 4byteTracer counts, and the tree as its flatCallTracer has it.
import { precompileAddresses } from '../../../calls/trace/precompile-addresses.ts';
import { type CallFrame, listCalls } from './call-tree.ts';

/** How often each selector was called with as many bytes of arguments, by `0x…-length`; creations have none. */
export function countSelectors(root: CallFrame): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { call, path } of listCalls(root)) {
    const { type, input } = call;
    const isMeant = !type.startsWith('CREATE') && input.length >= selectorLength;
    if (!isMeant || (path.length > 0 && isPrecompile(call))) continue;
    const name = `${input.slice(0, selectorLength)}-${(input.length - selectorLength) / 2}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** As hex, with `0x`. */
const selectorLength = 10;

/** Of those inside of it; a delegation to one stays, as in geth. */
export function withoutPrecompiles({ calls = [], ...call }: CallFrame): CallFrame {
  // A precompile calls nothing, and a tree is at most 1,024 deep.
  const kept = calls.filter((one) => !(ofPrecompile.has(one.type) && isPrecompile(one)));
  return { ...call, calls: kept.map(withoutPrecompiles) };
}

const ofPrecompile: ReadonlySet<string> = new Set(['CALL', 'STATICCALL']);

function isPrecompile({ to }: CallFrame): boolean {
  return to !== null && precompileAddresses.has(to);
}
