// The access list (EIP-2930) of a run: addresses and slots that its opcodes name, beside those that are warm anyway.
import type { Frame } from '../../../packages/machine/frame/frame.ts';
import type { Machine, Tracer } from '../../../packages/machine/frame/machine.ts';
import type { Authorization } from '../../../packages/machine/run/authorize.ts';
import type { AccessListItem } from './job.ts';

type Tracked = {
  tracer: Tracer;
  /** By address and slot; null: the run did not begin. What is in a frame that failed is in it too. */
  found(): AccessListItem[] | null;
};

/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT: the address is on top. */
const ofAccount: ReadonlySet<number> = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff]);
/** CALL, CALLCODE, DELEGATECALL, STATICCALL: it is below the gas. */
const ofCall: ReadonlySet<number> = new Set([0xf1, 0xf2, 0xf4, 0xfa]);
/** SLOAD, SSTORE. */
const ofSlot: ReadonlySet<number> = new Set([0x54, 0x55]);
const addressBits = 160;

/** What is in `given` stays in the list, but accounts that are warm anyway. */
export function trackAccess(given: readonly AccessListItem[], authorizations: readonly Authorization[]): Tracked {
  let list: Map<bigint, Set<bigint>> | null = null;
  let warm: ReadonlySet<bigint> = new Set();
  const slotsOf = (address: bigint): Set<bigint> => {
    const slots = list!.get(address) ?? new Set();
    list!.set(address, slots);
    return slots;
  };
  const meet = (word: bigint): void => {
    const address = BigInt.asUintN(addressBits, word);
    if (!warm.has(address)) slotsOf(address);
  };
  return {
    tracer: {
      enter({ parent, account }: Frame, _type, machine) {
        if (parent !== null) return;
        list = new Map();
        warm = warmAnyway(machine, account.address, authorizations);
        for (const { address, slots } of given) {
          if (warm.has(address)) continue;
          const kept = slotsOf(address);
          for (const slot of slots) kept.add(slot);
        }
      },
      before({ stack, size, account }, opcode) {
        if (ofSlot.has(opcode) && size >= 1) slotsOf(account.address).add(stack[size - 1]!);
        else if (ofAccount.has(opcode) && size >= 1) meet(stack[size - 1]!);
        else if (ofCall.has(opcode) && size >= 2) meet(stack[size - 2]!);
      },
    },
    found: () =>
      list &&
      [...list]
        .sort(([one], [other]) => ascending(one, other))
        .map(([address, slots]) => ({ address, slots: [...slots].sort(ascending) })),
  };
}

/** Sender and receiver, those who signed, precompiles and system contracts. */
function warmAnyway(
  { origin, precompiles, systemContracts }: Machine,
  receiver: bigint,
  authorizations: readonly Authorization[],
): ReadonlySet<bigint> {
  const signers = authorizations.flatMap(({ authority }) => (authority === null ? [] : [authority]));
  return new Set([origin, receiver, ...signers, ...precompiles.keys(), ...systemContracts.keys()]);
}

/** Both sorted. */
export function isSameAccess(one: readonly AccessListItem[], other: readonly AccessListItem[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ address, slots }, at) => {
      const twin = other[at]!;
      return (
        address === twin.address &&
        slots.length === twin.slots.length &&
        slots.every((slot, place) => slot === twin.slots[place])
      );
    })
  );
}

function ascending(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
