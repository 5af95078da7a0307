// The EVM's view of the ledger: the same balances, nonces, code and storage, addressed by EVM address. 1 tinybar is 1e10
// weibar. Checkpoints are marks in the ledger's undo log, so whatever a frame reverts never happened.
import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { type Address, Account as EvmAccount } from '@ethereumjs/util';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { blankAccount } from '../ledger/blank-account.ts';
import { contractId } from '../ledger/hapi-values.ts';
import type { Account, Ledger } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';

export const weibarPerTinybar = 10_000_000_000n;

/** First value read and last value written of a slot within one transaction. */
export type SlotAccess = { contract: bigint; slot: Uint8Array; read: Uint8Array; written: Uint8Array | null };

export type EvmState = StateManagerInterface & {
  /** Starts watching a new transaction. */
  begin(consensusTimestamp: bigint): void;
  slotAccesses(): SlotAccess[];
  /** Contracts with a changed nonce. */
  changedNonces(): { contract: bigint; nonce: bigint }[];
  idOf(address: Uint8Array): bigint;
};

export function createEvmState(ledger: Ledger): EvmState {
  const marks: number[] = [];
  const accesses = new Map<string, SlotAccess>();
  const noncesBefore = new Map<bigint, bigint>();
  let now = 0n;

  const rowOf = (address: Address): Account | undefined => ledger.tables.accounts.get(idOf(address.bytes));

  function idOf(address: Uint8Array): bigint {
    const bytes = Buffer.from(address);
    const known = ledger.tables.names.get(bytes.toString('hex'));
    if (known !== undefined) return known;
    if (bytes.subarray(0, 12).some((byte) => byte !== 0)) return 0n;
    const num = bytes.readBigUInt64BE(12);
    return ledger.tables.accounts.has(num) ? num : 0n;
  }

  function createRow(address: Address): Account {
    const id = ledger.take('nextEntity');
    const row = { ...blankAccount(id, now), evmAddress: Buffer.from(address.bytes), maxAutomaticAssociations: -1 };
    ledger.put('accounts', id, row);
    ledger.put('names', Buffer.from(address.bytes).toString('hex'), id);
    return row;
  }

  async function putAccount(address: Address, account?: EvmAccount): Promise<void> {
    if (!account) return;
    if (account.balance % weibarPerTinybar !== 0n) throw new Error('A balance is a whole number of tinybar');
    const balance = account.balance / weibarPerTinybar;
    const row = rowOf(address);
    if (!row && balance === 0n && account.nonce === 0n) return;
    const { id } = row ?? createRow(address);
    if (row?.balance === balance && row.ethereumNonce === account.nonce) return;
    if (!noncesBefore.has(id)) noncesBefore.set(id, row?.ethereumNonce ?? 0n);
    ledger.change('accounts', id, { balance, ethereumNonce: account.nonce });
  }

  async function getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const contract = idOf(address.bytes);
    const key = storageKey(contract, slot);
    const value = ledger.tables.storage.get(key) ?? noBytes;
    if (!accesses.has(key)) accesses.set(key, { contract, slot: trim(slot), read: value, written: null });
    return value;
  }

  return {
    begin: (consensusTimestamp) => {
      now = consensusTimestamp;
      accesses.clear();
      noncesBefore.clear();
      marks.length = 0;
    },
    changedNonces: () =>
      [...noncesBefore].flatMap(([id, before]) => {
        const row = ledger.tables.accounts.get(id);
        return row?.isContract && row.ethereumNonce !== before ? [{ contract: id, nonce: row.ethereumNonce }] : [];
      }),
    slotAccesses: () =>
      [...accesses.entries()].map(([key, access]) => {
        const value = ledger.tables.storage.get(key) ?? noBytes;
        return { ...access, written: Buffer.compare(value, access.read) === 0 ? null : value };
      }),
    idOf,
    getAccount: async (address) => {
      const row = rowOf(address);
      if (!row || row.deleted) return undefined;
      const codeHash = row.code?.length ? keccak_256(row.code) : undefined;
      return new EvmAccount(row.ethereumNonce, row.balance * weibarPerTinybar, undefined, codeHash);
    },
    putAccount,
    // Only EIP-161 clean-up would call it, which the ledger does not do: entities stay.
    deleteAccount: async (address) => {
      throw new Error(`The ledger does not delete accounts from within the EVM (${address})`);
    },
    modifyAccountFields: async (address, fields: AccountFields) => {
      const row = rowOf(address);
      const account = new EvmAccount(
        fields.nonce ?? row?.ethereumNonce ?? 0n,
        fields.balance ?? (row?.balance ?? 0n) * weibarPerTinybar,
      );
      await putAccount(address, account);
    },
    putCode: async (address, value) => {
      const { id, isContract, key } = rowOf(address) ?? createRow(address);
      // A contract that the EVM creates has its own key only.
      const ownKey = encodeKey({ contractID: contractId(id) });
      ledger.change('accounts', id, { code: Uint8Array.from(value), isContract: true, key: isContract ? key : ownKey });
    },
    getCode: async (address) => rowOf(address)?.code ?? noBytes,
    getCodeSize: async (address) => rowOf(address)?.code?.length ?? 0,
    getStorage,
    putStorage: async (address, slot, value) => {
      await getStorage(address, slot);
      const key = storageKey(idOf(address.bytes), slot);
      const trimmed = trim(value);
      if (trimmed.length === 0) ledger.remove('storage', key);
      else ledger.put('storage', key, trimmed);
    },
    // Called on creation: a new address has no storage yet.
    clearStorage: async () => undefined,
    checkpoint: async () => {
      marks.push(ledger.mark());
    },
    commit: async () => {
      marks.pop();
    },
    revert: async () => {
      ledger.rollback(marks.pop()!);
    },
    originalStorageCache: {
      // The value before the transaction, which is what the first access read.
      get: async (address, slot) => {
        const known = accesses.get(storageKey(idOf(address.bytes), slot));
        return known ? known.read : getStorage(address, slot);
      },
      clear: () => accesses.clear(),
    },
    getStateRoot: () => noStateRoot(),
    setStateRoot: () => noStateRoot(),
    hasStateRoot: () => noStateRoot(),
    clearCaches: () => accesses.clear(),
    shallowCopy: () => {
      throw new Error('The ledger has one state');
    },
  };
}

const noBytes = new Uint8Array();

function noStateRoot(): never {
  throw new Error('The ledger keeps no state roots');
}

function storageKey(contract: bigint, slot: Uint8Array): string {
  return `${contract}:${Buffer.from(slot).toString('hex').padStart(64, '0')}`;
}

/** Without leading zero bytes, as sidecars carry slots and values. */
function trim(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? noBytes : Uint8Array.from(bytes.subarray(first));
}
