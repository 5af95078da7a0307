// The ledger as the state of the machine (packages/machine), and what a transaction of the machine changes in it.

import { readWord, writeWord } from '../../machine/base/word.ts';
import type { AccountChange, Finished } from '../../machine/run/transaction.ts';
import type { AccountFacts, StateReader } from '../../machine/state/state-reader.ts';
import { blankAccount } from '../ledger/blank-account.ts';
import { contractId } from '../ledger/hapi-values.ts';
import type { Account, Ledger } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { createSystemFacts } from './system-facts.ts';

/** Value read and value written of a slot within one transaction; both without leading zeros. */
type SlotAccess = { contract: bigint; slot: Uint8Array; read: Uint8Array; written: Uint8Array | null };

export type EvmState = {
  reader: StateReader;
  /** 0n: none. */
  idOf(address: bigint): bigint;
  /** Writes to the ledger what was changed; new entities get the numbers that the machine gave them. */
  apply(result: Pick<Finished, 'changes' | 'authorities'>, consensusTimestamp: bigint): AppliedChanges;
};

/** Stays when the transaction fails. */
export type Delegation = {
  id: bigint;
  address: Uint8Array;
  isNew: boolean;
  /** 20 zero bytes: none. */
  delegate: Uint8Array;
  nonce: bigint;
};

export type AppliedChanges = {
  /** In order of number: contracts that were made, some of them at the address of a hollow account. */
  created: Account[];
  /** Accounts that received a value at an unused address. */
  hollow: Account[];
  /** Accounts that from now on run other code, or none; also those of `hollow` that do. */
  delegations: Delegation[];
  slots: SlotAccess[];
  contractNonces: { contract: bigint; nonce: bigint }[];
};

const noBytes = new Uint8Array();
const maxEntityNumber = 0xffff_ffff_ffff_ffffn;

export function createEvmState(ledger: Ledger): EvmState {
  const { accounts, names, tokens, schedules, storage } = ledger.tables;

  function idOf(address: bigint): bigint {
    const known = names.get(hexOfAddress(address));
    if (known !== undefined) return known;
    if (address > maxEntityNumber) return 0n;
    return accounts.has(address) || tokens.has(address) || schedules.has(address) ? address : 0n;
  }

  function factsOf(num: bigint): AccountFacts | null {
    const account = accounts.get(num);
    if (!account) return otherFactsOf(num);
    if (account.deleted) return null;
    const { isContract, evmAddress, balance, ethereumNonce, code, receiverSigRequired } = account;
    return {
      num,
      address: evmAddress ? readWord(evmAddress, 0, 20) : num,
      kind: isContract ? 'contract' : 'account',
      balance,
      nonce: ethereumNonce,
      code: code ?? noBytes,
      needsReceiverSignature: receiverSigRequired,
    };
  }

  function otherFactsOf(num: bigint): AccountFacts | null {
    const [token, schedule] = [tokens.get(num), schedules.get(num)];
    const isThere = token ? !token.deleted : schedule !== undefined && schedule.state !== 'deleted';
    const kind = token ? 'token' : 'schedule';
    return isThere ? { num, address: num, kind, balance: 0n, nonce: 0n, code: noBytes } : null;
  }

  function applyToAccount(change: AccountChange, now: bigint): void {
    const { num, address, isNew, kind } = change;
    if (isNew) {
      const id = ledger.take('nextEntity');
      if (id !== num) throw new Error(`The machine made entity ${num} where ${id} comes next`);
      const evmAddress = writeWord(address, 20);
      ledger.put('accounts', id, { ...blankAccount(id, now), evmAddress, maxAutomaticAssociations: -1 });
      ledger.put('names', hexOfAddress(address), id);
    }
    const before = accounts.get(num);
    if (!before) return;
    const changed: Partial<Account> = {};
    if (change.balance !== undefined) changed.balance = change.balance;
    if (change.nonce !== undefined) changed.ethereumNonce = change.nonce;
    if (change.code !== undefined) changed.code = Uint8Array.from(change.code);
    if (change.isDeleted) changed.deleted = true;
    // The end of a delegation.
    if (kind === 'account' && change.code?.length === 0) changed.code = null;
    if (kind === 'contract' && !before.isContract) {
      changed.isContract = true;
      // The only key of a contract that the machine makes is the contract itself.
      changed.key = encodeKey({ contractID: contractId(num) });
    }
    if (Object.keys(changed).length > 0) ledger.change('accounts', num, changed);
  }

  function applyToSlots({ num, slots }: AccountChange): SlotAccess[] {
    return slots.map(({ slot, valueRead, valueWritten }) => {
      const written = valueWritten === valueRead ? null : trimmed(valueWritten);
      const key = storageKey(num, slot);
      if (written?.length === 0) ledger.remove('storage', key);
      else if (written) ledger.put('storage', key, written);
      return { contract: num, slot: trimmed(slot), read: trimmed(valueRead), written };
    });
  }

  return {
    idOf,
    reader: {
      account: (address) => factsOf(idOf(address)),
      slot: ({ num }, slot) => {
        const value = storage.get(storageKey(num, slot));
        return value ? readWord(value, 0, value.length) : 0n;
      },
      // The network does not keep the hashes of its blocks.
      blockHash: () => null,
      fact: createSystemFacts(ledger),
    },
    apply: ({ changes, authorities }, consensusTimestamp) => {
      const fresh = changes.filter(({ isNew }) => isNew).sort((one, other) => Number(one.num - other.num));
      const wereContracts = new Set(changes.flatMap(({ num }) => (accounts.get(num)?.isContract ? [num] : [])));
      for (const change of fresh) applyToAccount(change, consensusTimestamp);
      for (const change of changes) if (!change.isNew) applyToAccount(change, consensusTimestamp);
      const slots = changes.flatMap(applyToSlots);
      const contracts = changes.filter(({ kind }) => kind === 'contract');
      const made = contracts.filter(({ num }) => !wereContracts.has(num)).map(({ num }) => accounts.get(num)!);
      return {
        created: made.sort((one, other) => Number(one.id - other.id)),
        hollow: fresh.filter(({ kind }) => kind === 'account').map(({ num }) => accounts.get(num)!),
        delegations: [...new Set(authorities)].map((one) => toDelegation(accounts.get(idOf(one))!, one, fresh)),
        slots,
        contractNonces: contracts.flatMap(({ num, nonce }) => (nonce === undefined ? [] : [{ contract: num, nonce }])),
      };
    },
  };
}

function toDelegation(
  { id, code, ethereumNonce: nonce }: Account,
  address: bigint,
  fresh: readonly AccountChange[],
): Delegation {
  const delegate = code?.slice(-20) ?? new Uint8Array(20);
  return { id, address: writeWord(address, 20), isNew: fresh.some(({ num }) => num === id), delegate, nonce };
}

function storageKey(contract: bigint, slot: bigint): string {
  return `${contract}:${slot.toString(16).padStart(64, '0')}`;
}

function hexOfAddress(address: bigint): string {
  return address.toString(16).padStart(40, '0');
}

/** Without leading zero bytes, as sidecars carry slots and values. */
function trimmed(word: bigint): Uint8Array {
  return word === 0n ? noBytes : writeWord(word, Math.ceil(word.toString(16).length / 2));
}
