// Storage of contracts as the EVM sees it, and which slots a transaction has read and written.
import type { StateManagerInterface } from '@ethereumjs/common';
import type { Address } from '@ethereumjs/util';
import type { Ledger } from '../ledger/ledger.ts';

/** First value read and last value written of a slot within one transaction. */
export type SlotAccess = { contract: bigint; slot: Uint8Array; read: Uint8Array; written: Uint8Array | null };

type EvmMethods = 'getStorage' | 'putStorage' | 'clearStorage' | 'originalStorageCache';

export type EvmStorage = Pick<StateManagerInterface, EvmMethods> & {
  /** Forgets what was accessed. */
  begin(): void;
  slotAccesses(): SlotAccess[];
};

const noBytes = new Uint8Array();

export function createEvmStorage(ledger: Ledger, idOf: (address: Uint8Array) => bigint): EvmStorage {
  const accesses = new Map<string, SlotAccess>();

  async function getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    const contract = idOf(address.bytes);
    const key = storageKey(contract, slot);
    const value = ledger.tables.storage.get(key) ?? noBytes;
    if (!accesses.has(key)) accesses.set(key, { contract, slot: trim(slot), read: value, written: null });
    return value;
  }

  return {
    begin: () => accesses.clear(),
    slotAccesses: () =>
      [...accesses].map(([key, access]) => {
        const value = ledger.tables.storage.get(key) ?? noBytes;
        return { ...access, written: Buffer.compare(value, access.read) === 0 ? null : value };
      }),
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
    originalStorageCache: {
      // The value before the transaction, which is what the first access read.
      get: async (address, slot) => {
        const known = accesses.get(storageKey(idOf(address.bytes), slot));
        return known ? known.read : getStorage(address, slot);
      },
      clear: () => accesses.clear(),
    },
  };
}

function storageKey(contract: bigint, slot: Uint8Array): string {
  return `${contract}:${Buffer.from(slot).toString('hex').padStart(64, '0')}`;
}

/** Without leading zero bytes, as sidecars carry slots and values. */
function trim(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? noBytes : Uint8Array.from(bytes.subarray(first));
}
