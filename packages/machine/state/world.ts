// The state during one transaction: what was read stays here, every change is in the journal.
import { codeOf } from '../base/code.ts';
import { mapKey } from '../base/map-key.ts';
import type { AccountState, SlotState } from './account-state.ts';
import { type AddressOptions, createAddresses } from './addresses.ts';
import { createJournal, type Journal } from './journal.ts';
import { type AnyFact, type FactKey, type FactOf, factName } from './ledger-facts.ts';
import { createReads, type Reads } from './reads.ts';
import type { StateReader } from './state-reader.ts';

export type WorldOptions = AddressOptions & {
  /** Facts to be read from the state. */
  maxReads: number;
  /** Facts to be noted as missing before the machine stops. */
  maxMissing: number;
  /** The number of the next entity. */
  nextNum: bigint;
};

export type World = {
  readonly journal: Journal;
  /** For system contracts too, which read more than accounts and slots. */
  readonly reads: Reads;
  account(address: bigint): AccountState;
  /** Makes it warm; whether it was cold. */
  warm(address: bigint): boolean;
  slot(account: AccountState, slot: bigint): SlotState;
  warmSlot(slot: SlotState): void;
  setSlot(slot: SlotState, value: bigint): void;
  transient(account: AccountState, slot: bigint): bigint;
  setTransient(account: AccountState, slot: bigint, value: bigint): void;
  setBalance(account: AccountState, balance: bigint): void;
  setNonce(account: AccountState, nonce: bigint): void;
  setCode(account: AccountState, bytes: Uint8Array): void;
  /** Makes an account where there is none. */
  create(account: AccountState): void;
  /** Makes the account a contract of this transaction, with empty storage. */
  becomeContract(account: AccountState): void;
  destroy(account: AccountState): void;
  /** As the transaction has left it. */
  fact<Key extends FactKey>(key: Key): FactOf<Key>;
  setFact<Key extends FactKey>(key: Key, fact: FactOf<Key>): void;
  /** Everybody whom the transaction met. */
  readonly accounts: Iterable<AccountState>;
  /** Facts that it read or set, by name, as it has left them. */
  readonly facts: ReadonlyMap<string, AnyFact>;
};

export function createWorld(reader: StateReader, options: WorldOptions): World {
  const journal = createJournal();
  const reads = createReads(reader, options);
  const facts = new Map<string, AnyFact>();
  const { at, ofNew, accounts } = createAddresses(reads, options);
  let freeNum = options.nextNum;

  return {
    journal,
    reads,
    accounts,
    facts,
    account: (address) => at(address).account,
    warm: (address) => {
      const state = at(address);
      if (state.isWarm) return false;
      makeWarm(state);
      return true;
    },
    slot: (account, word) => {
      const key = mapKey(word);
      let state = account.slots.get(key);
      if (state === undefined) {
        const { facts } = account;
        const original = facts === null || account.isCreated ? 0n : reads.slot(facts, word);
        state = { slot: word, original, value: original, isWarm: false };
        account.slots.set(key, state);
      }
      return state;
    },
    warmSlot: makeWarm,
    setSlot: (state, value) => {
      const before = state.value;
      state.value = value;
      journal.record(() => {
        state.value = before;
      });
    },
    transient: (account, word) => account.transient?.get(mapKey(word)) ?? 0n,
    setTransient: (account, word, value) => {
      account.transient ??= new Map();
      const { transient } = account;
      const key = mapKey(word);
      const before = transient.get(key) ?? 0n;
      transient.set(key, value);
      journal.record(() => transient.set(key, before));
    },
    setBalance: (account, balance) => change(account, 'balance', balance),
    setNonce: (account, nonce) => change(account, 'nonce', nonce),
    setCode: (account, bytes) => change(account, 'code', codeOf(bytes)),
    create,
    becomeContract: (account) => change(account, 'isCreated', true),
    destroy: (account) => change(account, 'isDestroyed', true),
    fact: <Key extends FactKey>(key: Key) => {
      const name = factName(key);
      let fact = facts.get(name) as FactOf<Key> | undefined;
      if (fact === undefined) {
        fact = reads.fact(key);
        facts.set(name, fact);
      }
      return fact;
    },
    setFact: (key, fact) => {
      const name = factName(key);
      const before = facts.get(name);
      facts.set(name, fact);
      journal.record(() => {
        if (before === undefined) facts.delete(name);
        else facts.set(name, before);
      });
    },
  };

  function makeWarm(state: { isWarm: boolean }): void {
    state.isWarm = true;
    journal.record(() => {
      state.isWarm = false;
    });
  }

  function create(account: AccountState): void {
    change(account, 'num', freeNum);
    change(account, 'exists', true);
    freeNum += 1n;
    journal.record(() => {
      freeNum -= 1n;
    });
    // One account under both addresses.
    change(ofNew(account.num, account), 'account', account);
  }

  function change<Of, Name extends keyof Of>(of: Of, name: Name, value: Of[Name]): void {
    const before = of[name];
    of[name] = value;
    journal.record(() => {
      of[name] = before;
    });
  }
}
