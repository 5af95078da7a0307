// Calls in the shapes that Otterscan reads.
import { zeroAddress } from '../terms/hex.ts';
import { type CallFrame, listCalls } from './call-tree.ts';

/** `type`: 0 a transfer, 2 CREATE, 3 CREATE2. `value`: weibar, as hex. */
export type Operation = { type: number; from: string; to: string; value: string };

/** What moved inside of the outermost call; of a call that failed nothing stays, nor of the calls inside of it. */
export function toOperations(root: CallFrame): Operation[] {
  const listed = listCalls(root, ({ error }) => error === undefined).slice(1);
  return listed.flatMap(({ call: { type, from, to, value } }) => {
    const number = operationNumbers.get(type);
    if (number === undefined || from === null || to === null) return [];
    return number === transfer && value === '0x0' ? [] : [{ type: number, from, to, value }];
  });
}

const transfer = 0;
const operationNumbers: ReadonlyMap<string, number> = new Map([
  ['CALL', transfer],
  ['CREATE', 2],
  ['CREATE2', 3],
]);

/** `value`: null = the kind of call moves none. */
type DepthEntry = Pick<CallFrame, 'type' | 'input' | 'output'> & {
  depth: number;
  from: string;
  to: string;
  value: string | null;
};

/**
 * Each call before those inside of it; the outermost has depth 0. Otterscan shows no call of a list in which an address
 * is null: a creation that got none has that of zeros.
 */
export function toDepthList(root: CallFrame): DepthEntry[] {
  return listCalls(root).map(({ path, call: { type, from, to, value, input, output } }) => ({
    ...{ type, depth: path.length, from: from ?? zeroAddress, to: to ?? zeroAddress, input, output },
    value: valueless.has(type) ? null : value,
  }));
}

const valueless: ReadonlySet<string> = new Set(['DELEGATECALL', 'STATICCALL']);
