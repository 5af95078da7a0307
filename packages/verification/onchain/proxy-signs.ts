// What the code of a contract says about a proxy: instructions and constants that its kinds have in common, which are
// those of the standards and of the wallets that use them.
import { readAuxdata } from '../explain/auxdata.ts';
import { toHex } from '../terms/hex.ts';

export type ProxySigns = {
  /** It has a DELEGATECALL: without one nothing is forwarded. */
  delegates: boolean;
  /** A contract of facets (ERC-2535): it knows the usual place of their table, or answers itself which they are. */
  isDiamond: boolean;
  /** Safe: it answers `masterCopy()` itself; its first slot names the implementation. */
  isSafe: boolean;
  /** A wallet of Sequence: the slot with the number of its own address names the implementation. */
  isSequence: boolean;
  /** Small enough for a contract that does nothing else: then it is worth asking whether it is a diamond or a Safe. */
  isSmall: boolean;
};

/** `code`: null = unknown; then storage alone can say it. */
export function readProxySigns(code: Buffer | null): ProxySigns {
  if (code === null) return { ...noSigns, delegates: true };
  const signs = { ...noSigns };
  // Bytes of the hash at the end are no instructions.
  const end = readAuxdata(toHex(code))?.offset ?? code.length;
  for (let at = 0; at < end; ) {
    const opcode = code[at]!;
    const size = opcode >= push1 && opcode <= push32 ? opcode - push1 + 1 : 0;
    if (opcode === delegateCall) {
      signs.delegates = true;
      if (code.subarray(at + 1 - ownSlotForwards.length, at + 1).equals(ownSlotForwards)) signs.isSequence = true;
    } else if (size === 4 || size === 32) {
      const pushed = code.toString('hex', at + 1, at + 1 + size);
      if (size === 32 ? isTableOfFacets(pushed) : loupe.includes(pushed)) signs.isDiamond = true;
      if (pushed === masterCopy.padEnd(64, '0')) signs.isSafe = true;
    }
    at += 1 + size;
  }
  return signs.delegates ? { ...signs, isSmall: code.length <= maxSmall } : noSigns;
}

const noSigns: ProxySigns = { delegates: false, isDiamond: false, isSafe: false, isSequence: false, isSmall: false };
const push1 = 0x60;
const push32 = 0x7f;
const delegateCall = 0xf4;
/** ADDRESS, SLOAD, GAS, DELEGATECALL. */
const ownSlotForwards = Buffer.from('30545af4', 'hex');
/** Bytes. */
const maxSmall = 2_000;

/** Selectors: `masterCopy()`; `facetAddresses()` and `facets()`. */
export const masterCopy = 'a619486e';
export const loupe: readonly string[] = ['52ef6b2c', '7a0ed627'];

/**
 * The slot `keccak256("diamond.standard.diamond.storage")`, that of a member near it, or that text, whose hash is then
 * made when it runs.
 */
function isTableOfFacets(word: string): boolean {
  if (word === tableName) return true;
  if (word.slice(0, 60) !== tableSlot.slice(0, 60)) return false;
  return Math.abs(Number.parseInt(word.slice(60), 16) - Number.parseInt(tableSlot.slice(60), 16)) <= 8;
}

const tableSlot = 'c8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c';
const tableName = Buffer.from('diamond.standard.diamond.storage').toString('hex');
