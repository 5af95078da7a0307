// The state that several transactions leave one after the other: what they changed, or what a caller says of it, on top
// of what is below. In one layer, however many they are.
import { mapKey } from '../base/map-key.ts';
import type { AccountState } from './account-state.ts';
import { type AnyFact, type FactKey, type FactOf, factName } from './ledger-facts.ts';
import type { AccountFacts, StateReader } from './state-reader.ts';
import type { World } from './world.ts';

export type CarriedState = StateReader & {
  /** What a transaction left that has ended and missed nothing. */
  take(world: World): void;
  /** Puts an account in place of what is at its addresses. */
  put(facts: AccountFacts): void;
  /** `isWhole`: slots that are not given are zero. */
  putSlots(num: bigint, slots: Iterable<readonly [slot: bigint, value: bigint]>, isWhole: boolean): void;
  putBlockHash(number: bigint, hash: bigint): void;
  /** The number of the next entity. */
  nextNum: bigint;
};

type Storage = { isWhole: boolean; slots: Map<bigint, bigint> };

/** What `below` does not know (`undefined`) is not known here. */
export function createCarriedState(below: StateReader, nextNum: bigint): CarriedState {
  const accounts = new Map<bigint, AccountFacts | null>();
  const storages = new Map<bigint, Storage>();
  const hashes = new Map<bigint, bigint>();
  const facts = new Map<string, AnyFact>();

  const carried: CarriedState = {
    nextNum,
    account: (address) => {
      const known = accounts.get(mapKey(address));
      return known === undefined ? below.account(address) : known;
    },
    slot(account, slot) {
      const storage = storages.get(account.num);
      const value = storage?.slots.get(mapKey(slot));
      return value ?? (storage?.isWhole ? 0n : below.slot(account, slot));
    },
    blockHash: (number) => hashes.get(number) ?? below.blockHash(number),
    fact: <Key extends FactKey>(key: Key) => (facts.get(factName(key)) as FactOf<Key> | undefined) ?? below.fact(key),
    take(world) {
      for (const account of world.accounts) takeAccount(account);
      for (const [name, fact] of world.facts) facts.set(name, fact);
    },
    put(one) {
      accounts.set(mapKey(one.address), one);
      accounts.set(mapKey(one.num), one);
      // Nothing is below an account that exists only here.
      if (one.num >= nextNum && !storages.has(one.num)) storages.set(one.num, { isWhole: true, slots: new Map() });
      if (one.num >= carried.nextNum) carried.nextNum = one.num + 1n;
    },
    putSlots(num, slots, isWhole) {
      const storage = isWhole ? { isWhole, slots: new Map<bigint, bigint>() } : storageOf(num);
      for (const [slot, value] of slots) storage.slots.set(mapKey(slot), value);
      storages.set(num, storage);
    },
    putBlockHash: (number, hash) => void hashes.set(number, hash),
  };
  return carried;

  function storageOf(num: bigint): Storage {
    return storages.get(num) ?? { isWhole: false, slots: new Map() };
  }

  function takeAccount(account: AccountState): void {
    const { facts: before, address, num, exists, isCreated, isDestroyed, slots } = account;
    if (!exists) return;
    if (isDestroyed) {
      accounts.set(mapKey(address), null);
      accounts.set(mapKey(num), null);
      storages.delete(num);
      return;
    }
    if (isChanged(account)) carried.put(factsOf(account));
    const changed = [...slots.values()].filter(({ value, original }) => value !== original);
    if (isCreated || before === null) carried.putSlots(num, changed.map(toPair), true);
    else if (changed.length > 0) carried.putSlots(num, changed.map(toPair), false);
  }
}

function toPair({ slot, value }: { slot: bigint; value: bigint }): readonly [bigint, bigint] {
  return [slot, value];
}

function isChanged({ facts, balance, nonce, code, isCreated }: AccountState): boolean {
  return (
    facts === null ||
    isCreated ||
    balance !== facts.balance ||
    nonce !== facts.nonce ||
    (!isFacade(facts.kind) && code.bytes !== facts.code)
  );
}

function factsOf({ facts, address, num, balance, nonce, code, isCreated }: AccountState): AccountFacts {
  const kind = isCreated ? 'contract' : (facts?.kind ?? 'account');
  return { ...facts, num, address, kind, balance, nonce, code: facts && isFacade(kind) ? facts.code : code.bytes };
}

/** What runs at its address is no code of its own. */
function isFacade(kind: AccountFacts['kind']): boolean {
  return kind === 'token' || kind === 'schedule';
}
