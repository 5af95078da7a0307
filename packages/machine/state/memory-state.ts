// A state for the machine that is all in memory, or as much of it as a test lets be known.
import { type AnyFact, type FactKey, type FactOf, factName, noFacts } from './ledger-facts.ts';
import type { AccountFacts, MissingFact, StateReader } from './state-reader.ts';

export type KnownAccount = Partial<AccountFacts> &
  Pick<AccountFacts, 'address'> & { storage?: Map<bigint, bigint>; isTreasury?: boolean; holdsTokens?: boolean };

export type MemoryState = StateReader & {
  /** The facts asked for, in order. */
  readonly asked: MissingFact[];
};

export type KnownFact = readonly [key: FactKey, fact: AnyFact];

/** Of a fact that was not given. */
export const nothing = { ...noFacts, token: null, relation: null };

const longZeroLimit = 1n << 64n;

export function createMemoryState(
  accounts: readonly KnownAccount[],
  {
    hashes = new Map<bigint, bigint>(),
    isKnown = (_: MissingFact): boolean => true,
    facts = [] as readonly KnownFact[],
  } = {},
): MemoryState {
  const byAddress = new Map<bigint, AccountFacts>();
  const storages = new Map<bigint, Map<bigint, bigint>>();
  const known = new Map(facts.map(([key, fact]) => [factName(key), fact]));
  const asked: MissingFact[] = [];
  for (const [index, account] of accounts.entries()) {
    const { storage = new Map(), isTreasury = false, holdsTokens = false, ...given } = account;
    const { address } = given;
    const num = given.num ?? (address < longZeroLimit ? address : BigInt(2000 + index));
    const code = given.code ?? new Uint8Array(0);
    const kind = given.kind ?? (code.length > 0 ? 'contract' : 'account');
    const facts: AccountFacts = { balance: 0n, nonce: kind === 'contract' ? 1n : 0n, ...given, num, code, kind };
    if (isTreasury || holdsTokens) {
      known.set(factName({ kind: 'holdings', account: num }), { isTreasury, holdsTokens });
    }
    byAddress.set(address, facts);
    byAddress.set(num, facts);
    storages.set(num, storage);
  }
  const ask = <Answer>(fact: MissingFact, answer: () => Answer): Answer | undefined => {
    asked.push(fact);
    return isKnown(fact) ? answer() : undefined;
  };
  return {
    asked,
    account: (address) => ask({ kind: 'account', address }, () => byAddress.get(address) ?? null),
    slot: (account, slot) => ask({ kind: 'slot', account, slot }, () => storages.get(account.num)?.get(slot) ?? 0n),
    blockHash: (number) => ask({ kind: 'blockHash', number }, () => hashes.get(number) ?? null),
    fact: <Key extends FactKey>(key: Key) =>
      ask({ kind: 'fact', key }, () => (known.get(factName(key)) ?? nothing[key.kind]) as FactOf<Key>),
  };
}
