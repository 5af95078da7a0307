// Who is at an address.
import { codeOf } from '../base/code.ts';
import { mapKey } from '../base/map-key.ts';
import { type AccountState, accountOf, missingAccountAt } from './account-state.ts';
import type { Reads } from './reads.ts';
import type { AccountFacts } from './state-reader.ts';

/**
 * An address that was used, and who is there. Two addresses may lead to one account; each is warm or cold by itself.
 */
type AddressState = { account: AccountState; isWarm: boolean };

export type Addresses = {
  at(address: bigint): AddressState;
  /** Without a question to the state: for an account that the transaction makes. */
  ofNew(address: bigint, account: AccountState): AddressState;
  /** Everybody whom the transaction met. */
  accounts: ReadonlySet<AccountState>;
};

export type AddressOptions = {
  /** Code of an entity that has none of its own: of tokens and schedules. */
  facadeOf(facts: AccountFacts): Uint8Array | null;
  /** Of precompiles. */
  isAlwaysWarm(address: bigint): boolean;
};

export function createAddresses(reads: Reads, { facadeOf, isAlwaysWarm }: AddressOptions): Addresses {
  const addresses = new Map<bigint, AddressState>();
  const accounts = new Set<AccountState>();
  return {
    at,
    ofNew: (address, account) => {
      const key = mapKey(address);
      let state = addresses.get(key);
      if (state === undefined) {
        state = { account, isWarm: false };
        addresses.set(key, state);
      }
      return state;
    },
    accounts,
  };

  function at(address: bigint): AddressState {
    const key = mapKey(address);
    let state = addresses.get(key);
    if (state === undefined) {
      state = { account: read(address), isWarm: isAlwaysWarm(address) };
      addresses.set(key, state);
      accounts.add(state.account);
    }
    return state;
  }

  function read(address: bigint): AccountState {
    const facts = reads.account(address);
    if (facts === null) return missingAccountAt(address);
    const canonical = mapKey(facts.address);
    const known = addresses.get(canonical);
    if (known !== undefined) return known.account;
    const account = accountOf(facts);
    const facade = facadeOf(facts);
    if (facade !== null) account.code = codeOf(facade);
    if (facts.address !== address) addresses.set(canonical, { account, isWarm: false });
    return account;
  }
}
