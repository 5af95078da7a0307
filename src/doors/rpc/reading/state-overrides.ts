// What a call says about the state instead of what the ledger says, in the form of geth: an object by address.
import type { SimulatedOverride } from '../../../calls/simulate/simulation.ts';
import type { StateOverride } from '../../../calls/thread/job.ts';
import { weibarPerTinybar } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';
import { type Kind, objectOf, optional } from './kind.ts';
import { address, bytes, hexNumber } from './kinds.ts';
import { addressNumber } from './transaction-kinds.ts';

type Slots = NonNullable<StateOverride['state']>;

const maxAccounts = 100;
/** Of one account. */
const maxSlots = 100;

const slots: Kind<Slots> = {
  error: `Expected an object of up to ${maxSlots} 0x prefixed hexadecimal words by slot`,
  read(value) {
    const given = membersOf(value);
    if (!given || given.length > maxSlots) return undefined;
    const read = given.map(([slot, word]) => ({ slot: hexNumber.read(slot), value: hexNumber.read(word) }));
    return read.every((one): one is Slots[number] => one.slot !== undefined && one.value !== undefined)
      ? read
      : undefined;
  },
};

/** In hexadecimal, or a number that is exact: bodies are read into doubles. */
const count: Kind<bigint> = {
  error: `${hexNumber.error}, or a number up to 2^53 - 1`,
  read(value) {
    if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : undefined;
    return hexNumber.read(value);
  },
};

const ofAccount = objectOf(
  'StateOverride',
  {
    balance: optional(count),
    nonce: optional(count),
    code: optional(bytes),
    state: optional(slots),
    stateDiff: optional(slots),
  },
  { error: 'Expected StateOverride object', isClosed: true },
);

/** Balances become tinybar. */
export const stateOverrides: Kind<StateOverride[]> = overridesBy(readOverride);

/** Of simulated blocks, which may also move precompiles. */
export const simulatedOverrides: Kind<SimulatedOverride[]> = overridesBy((at, value) => {
  const { movePrecompileToAddress: target, ...others } = Object(value) as Record<string, unknown>;
  const override = readOverride(at, value === null || typeof value !== 'object' ? value : others);
  if (!override || target == null) return override;
  const movePrecompileTo = addressNumber.read(target);
  if (movePrecompileTo === undefined)
    throw rpcError.invalidParameter(`'movePrecompileToAddress' for StateOverride`, addressNumber.error);
  return { ...override, movePrecompileTo };
});

function overridesBy<T>(readOne: (at: Buffer | undefined, value: unknown) => T | null): Kind<T[]> {
  return {
    error: `Expected an object of up to ${maxAccounts} StateOverride objects by address`,
    read(value) {
      const given = membersOf(value);
      if (!given || given.length > maxAccounts) return undefined;
      const read = given.map(([at, one]) => readOne(address.read(at), one));
      return read.every((one) => one !== null) ? (read as T[]) : undefined;
    },
  };
}

/** null = it is none. Throws RpcError for a part of it. */
function readOverride(at: Buffer | undefined, value: unknown): StateOverride | null {
  const given = at && ofAccount.read(value);
  if (!given) return null;
  const { balance, nonce, code, state, stateDiff } = given;
  if (state && stateDiff) {
    throw rpcError.invalidParameter(`'state' for StateOverride`, 'state and stateDiff are mutually exclusive');
  }
  return {
    address: BigInt(`0x${at.toString('hex')}`),
    ...(balance === undefined ? {} : { balance: balance / weibarPerTinybar }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(code === undefined ? {} : { code }),
    ...(state ? { state } : {}),
    ...(stateDiff ? { stateDiff } : {}),
  };
}

function membersOf(value: unknown): [string, unknown][] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return Object.entries(value);
}
