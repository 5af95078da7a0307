// The state during one transaction: what was read stays here, every change is in the journal.
import { type Code, codeOf } from '../base/code.ts';
import { Stop } from '../base/halt.ts';
import { mapKey } from '../base/map-key.ts';
import { type AccountState, accountOf, nobodyAt, type SlotState } from './account-state.ts';
import { createJournal, type Journal } from './journal.ts';
import type { AccountFacts, MissingFact, StateReader } from './state-reader.ts';

/** An address that was used, and who is there. Two addresses may lead to one account; each is warm or cold by itself. */
export type AddressState = { account: AccountState; isWarm: boolean };

export type WorldOptions = {
  /** Facts to be read from the state. */
  maxReads: number;
  /** Facts to be noted as missing before the machine stops. */
  maxMissing: number;
  /** The number of the next entity. */
  nextNum: bigint;
  /** Code of an entity that has none of its own: of tokens and schedules. */
  facadeOf(facts: AccountFacts): Uint8Array | null;
};

export type World = {
  readonly journal: Journal;
  readonly missing: MissingFact[];
  at(address: bigint): AddressState;
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
  blockHash(number: bigint): bigint;
  /** For system contracts, which read more than accounts and slots. */
  note(fact: MissingFact): void;
  countRead(): void;
  /** Everybody whom the transaction met. */
  accounts(): Iterable<AccountState>;
};

export function createWorld(reader: StateReader, { maxReads, maxMissing, nextNum, facadeOf }: WorldOptions): World {
  const journal = createJournal();
  const missing: MissingFact[] = [];
  const addresses = new Map<bigint, AddressState>();
  const accounts = new Set<AccountState>();
  let reads = 0;
  let freeNum = nextNum;

  const note = (fact: MissingFact) => {
    missing.push(fact);
    if (missing.length >= maxMissing) throw new Stop('missing');
  };
  const countRead = () => {
    reads += 1;
    if (reads > maxReads) throw new Stop('reads');
  };

  return {
    journal,
    missing,
    at,
    account: (address) => at(address).account,
    warm: (address) => {
      const state = at(address);
      if (state.isWarm) return false;
      state.isWarm = true;
      journal.record(() => {
        state.isWarm = false;
      });
      return true;
    },
    slot,
    warmSlot: (state) => {
      state.isWarm = true;
      journal.record(() => {
        state.isWarm = false;
      });
    },
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
    setCode: (account, bytes) => change<AccountState, 'code', Code>(account, 'code', codeOf(bytes)),
    create: (account) => {
      change(account, 'num', freeNum);
      change(account, 'exists', true);
      freeNum += 1n;
      journal.record(() => {
        freeNum -= 1n;
      });
      // One account under both addresses.
      change(at(account.num), 'account', account);
    },
    becomeContract: (account) => change(account, 'isCreated', true),
    destroy: (account) => change(account, 'isDestroyed', true),
    blockHash: (number) => {
      countRead();
      const hash = reader.blockHash(number);
      if (hash === undefined) note({ kind: 'blockHash', number });
      return hash ?? 0n;
    },
    note,
    countRead,
    accounts: () => accounts,
  };

  function at(address: bigint): AddressState {
    const key = mapKey(address);
    let state = addresses.get(key);
    if (state === undefined) {
      state = { account: read(address), isWarm: false };
      addresses.set(key, state);
      accounts.add(state.account);
    }
    return state;
  }

  function read(address: bigint): AccountState {
    countRead();
    const facts = reader.account(address);
    if (facts === undefined) note({ kind: 'account', address });
    if (!facts) return nobodyAt(address);
    const canonical = mapKey(facts.address);
    const known = addresses.get(canonical);
    if (known !== undefined) return known.account;
    const account = accountOf(facts);
    const facade = facadeOf(facts);
    if (facade !== null) account.code = codeOf(facade);
    if (facts.address !== address) addresses.set(canonical, { account, isWarm: false });
    accounts.add(account);
    return account;
  }

  function slot(account: AccountState, word: bigint): SlotState {
    const key = mapKey(word);
    let state = account.slots.get(key);
    if (state === undefined) {
      const original = readSlot(account, word);
      state = { slot: word, original, value: original, isWarm: false };
      account.slots.set(key, state);
    }
    return state;
  }

  function readSlot(account: AccountState, word: bigint): bigint {
    if (account.facts === null || account.isCreated) return 0n;
    countRead();
    const value = reader.slot(account.facts, word);
    if (value === undefined) note({ kind: 'slot', account: account.facts, slot: word });
    return value ?? 0n;
  }

  function change<Of, Name extends keyof Of, Value extends Of[Name]>(of: Of, name: Name, value: Value): void {
    const before = of[name];
    of[name] = value;
    journal.record(() => {
      of[name] = before;
    });
  }
}
