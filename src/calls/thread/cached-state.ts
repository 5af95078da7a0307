// The ledger's state in the memory of a thread: code for ever, the past by moment, the present until the next block.
import { LRUCache } from 'lru-cache';
import { mapKey } from '../../../packages/machine/base/map-key.ts';
import { type AnyFact, type FactKey, type FactOf, factName } from '../../../packages/machine/state/ledger-facts.ts';
import type { AccountFacts, StateReader } from '../../../packages/machine/state/state-reader.ts';
import type { FetchedFacts } from '../facts/fetched-facts.ts';

export type CachedState = StateReader & {
  /** Whether no account is there, but a contract was or will be. */
  wasContract(address: bigint): boolean;
  take(fetched: FetchedFacts): void;
};

export type StateCache = {
  /** Throws nothing away before the next call of this. */
  at(moment: { key: string; isPresent: boolean }): CachedState;
  /** Whether this entity is known to be a contract, at whatever moment. */
  hasCode(num: bigint): boolean;
};

export type StateCacheOptions = { maxCodeBytes: number; maxPastBytes: number; maxPresentBytes: number };

/** Bytes in the heap, beside what a fact holds itself. */
const entryBytes = 200;
const slotBytes = 150;

type Held = CachedState & { bytes(): number };

export function createStateCache({ maxCodeBytes, maxPastBytes, maxPresentBytes }: StateCacheOptions): StateCache {
  const codes = new LRUCache<bigint, Uint8Array>({ maxSize: maxCodeBytes, sizeCalculation: (code) => code.length });
  /** The moment used last is the last. */
  const past = new Map<string, Held>();
  let present: { key: string; state: Held } | null = null;
  return {
    hasCode: (num) => codes.has(num),
    at({ key, isPresent }) {
      if (isPresent) {
        if (present?.key !== key || present.state.bytes() > maxPresentBytes)
          present = { key, state: createState(sameCode) };
        return present.state;
      }
      const state = past.get(key) ?? createState(sameCode);
      past.delete(key);
      past.set(key, state);
      let bytes = 0;
      for (const held of past.values()) bytes += held.bytes();
      for (const [oldest, held] of past) {
        if (bytes <= maxPastBytes || oldest === key) break;
        bytes -= held.bytes();
        past.delete(oldest);
      }
      return state;
    },
  };

  /** What is known of code is kept by its object. */
  function sameCode(facts: AccountFacts): AccountFacts {
    if (facts.kind !== 'contract' || facts.code.length === 0) return facts;
    const known = codes.get(facts.num);
    if (known === undefined) codes.set(facts.num, facts.code);
    return known === undefined ? facts : { ...facts, code: known };
  }
}

function createState(sameCode: (facts: AccountFacts) => AccountFacts): Held {
  const accounts = new Map<bigint, AccountFacts | null>();
  const formerContracts = new Set<bigint>();
  const slots = new Map<bigint, Map<bigint, bigint>>();
  const hashes = new Map<bigint, bigint | null>();
  const facts = new Map<string, AnyFact>();
  let bytes = 0;
  return {
    account: (address) => accounts.get(mapKey(address)),
    slot: ({ num }, slot) => slots.get(num)?.get(mapKey(slot)),
    blockHash: (number) => hashes.get(mapKey(number)),
    fact: <Key extends FactKey>(key: Key) => facts.get(factName(key)) as FactOf<Key> | undefined,
    wasContract: (address) => formerContracts.has(address),
    take(fetched) {
      for (const { address, facts: found, wasContract } of fetched.accounts) {
        accounts.set(mapKey(address), found && sameCode(found));
        if (wasContract) formerContracts.add(address);
        bytes += entryBytes;
      }
      for (const { num, slot, value } of fetched.slots) {
        const ofContract = slots.get(num) ?? new Map<bigint, bigint>();
        slots.set(num, ofContract);
        ofContract.set(mapKey(slot), value);
        bytes += slotBytes;
      }
      for (const { number, hash } of fetched.blockHashes) {
        hashes.set(mapKey(number), hash);
        bytes += entryBytes;
      }
      for (const { key, fact } of fetched.facts) {
        facts.set(factName(key), fact);
        bytes += entryBytes + heldBytes(fact);
      }
    },
    bytes: () => bytes,
  };
}

/** Of the texts and bytes in a fact, about. */
function heldBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * 2;
  if (value instanceof Uint8Array) return value.length + entryBytes;
  if (typeof value !== 'object' || value === null) return 16;
  let bytes = 48;
  for (const member of value instanceof Map ? value.values() : Object.values(value)) bytes += heldBytes(member);
  return bytes;
}
