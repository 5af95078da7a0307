// What the transaction reads of the ledger: counted, and noted where it is missing.
import { Stop } from '../base/halt.ts';
import { type FactKey, type FactOf, noFacts } from './ledger-facts.ts';
import type { AccountFacts, MissingFact, StateReader } from './state-reader.ts';

export type Reads = {
  readonly missing: MissingFact[];
  /** Throws Stop. */
  note(fact: MissingFact): void;
  /** Throws Stop. */
  count(): void;
  account(address: bigint): AccountFacts | null;
  slot(account: AccountFacts, slot: bigint): bigint;
  blockHash(number: bigint): bigint;
  fact<Key extends FactKey>(key: Key): FactOf<Key>;
};

export function createReads(reader: StateReader, limits: { maxReads: number; maxMissing: number }): Reads {
  const missing: MissingFact[] = [];
  const hashes = new Map<bigint, bigint>();
  let reads = 0;
  const note = (fact: MissingFact) => {
    missing.push(fact);
    if (missing.length >= limits.maxMissing) throw new Stop('missing');
  };
  const count = () => {
    reads += 1;
    if (reads > limits.maxReads) throw new Stop('reads');
  };
  return {
    missing,
    note,
    count,
    account: (address) => {
      count();
      const facts = reader.account(address);
      if (facts === undefined) note({ kind: 'account', address });
      return facts ?? null;
    },
    slot: (account, slot) => {
      count();
      const value = reader.slot(account, slot);
      if (value === undefined) note({ kind: 'slot', account, slot });
      return value ?? 0n;
    },
    blockHash: (number) => {
      let hash = hashes.get(number);
      if (hash === undefined) {
        count();
        const read = reader.blockHash(number);
        if (read === undefined) note({ kind: 'blockHash', number });
        hash = read ?? 0n;
        hashes.set(number, hash);
      }
      return hash;
    },
    fact: <Key extends FactKey>(key: Key) => {
      count();
      const fact = reader.fact(key);
      if (fact === undefined) note({ kind: 'fact', key });
      return fact === undefined ? (noFacts[key.kind] as FactOf<Key>) : fact;
    },
  };
}
