// What a thread asks of the store, and what it gets: plain values, since both cross to another thread.
import type { AnyFact, FactKey } from '../../../packages/machine/state/ledger-facts.ts';
import type { AccountFacts, MissingFact } from '../../../packages/machine/state/state-reader.ts';

export type SlotKey = { num: bigint; slot: bigint };

export type FactsAsked = {
  addresses: bigint[];
  slots: SlotKey[];
  blocks: bigint[];
  keys: FactKey[];
};

export type FoundAccount = {
  /** As it was asked. */
  address: bigint;
  facts: AccountFacts | null;
  /** No account is there, but at another time there is, or was, a contract. */
  wasContract: boolean;
};

export type FetchedFacts = {
  accounts: FoundAccount[];
  slots: (SlotKey & { value: bigint })[];
  blockHashes: { number: bigint; hash: bigint | null }[];
  facts: { key: FactKey; fact: AnyFact }[];
};

export function toAsked(missing: readonly MissingFact[]): FactsAsked {
  const asked: FactsAsked = { addresses: [], slots: [], blocks: [], keys: [] };
  for (const fact of missing) {
    if (fact.kind === 'account') asked.addresses.push(fact.address);
    else if (fact.kind === 'slot') asked.slots.push({ num: fact.account.num, slot: fact.slot });
    else if (fact.kind === 'blockHash') asked.blocks.push(fact.number);
    else asked.keys.push(fact.key);
  }
  return asked;
}

export function sizeOf({ addresses, slots, blocks, keys }: FactsAsked): number {
  return addresses.length + slots.length + blocks.length + keys.length;
}
