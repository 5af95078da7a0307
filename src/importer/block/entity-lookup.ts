// Finds entities by EVM address or alias: in this block, in a cache, then in the database. Handlers ask synchronously:
// an unknown name returns 0n and is noted and fetched, and the pass is repeated until it notes none.

import { toEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import {
  aliasToEvmAddress,
  evmAddressLength,
  fromLongZeroAddress,
  isLongZeroAddress,
  toLongZeroAddress,
} from '../../../packages/protocol/hapi/evm-address.ts';
import type { proto } from '../../../packages/protocol/hapi/hapi.ts';

export type EntityLookup = {
  /** 0n if unknown. Long-zero addresses are read as numbers. */
  byEvmAddress(address: Uint8Array): bigint;
  byAlias(alias: Uint8Array): bigint;
  /** AccountID with number or alias (20-byte alias = EVM address). */
  account(id: proto.IAccountID | null | undefined): bigint;
  /** ContractID with number or EVM address. */
  contract(id: proto.IContractID | null | undefined): bigint;
  /** The EVM address of an entity: its own or the long-zero one. */
  evmAddressOf(entityId: bigint): Uint8Array;
  /** Called when a handler learns an address or alias of a new entity. */
  remember(entityId: bigint, names: { evmAddress?: Uint8Array | null; alias?: Uint8Array | null }): void;
};

/** The names of one block, which needs another pass whenever names have to be fetched. */
type BlockNames = {
  /** A lookup without anything from this block yet. */
  beginPass(): EntityLookup;
  /** Names that the pass asked for and that are not known yet. */
  hasMissing(): boolean;
  /** Asks the database for all of them. */
  fetchMissing(): Promise<void>;
  /** Caches what the pass learned, for later blocks. */
  keep(): void;
};

/** `before`: the block's first moment, ns; later entities do not exist yet, although they may be stored. */
export type EntityNames = { forBlock(before: bigint): BlockNames };

type NamedEntity = { id: bigint; name: Uint8Array };

export type EntityNamesOptions = {
  /**
   * Entities of before this moment (ns) with one of these EVM addresses, deleted ones too: of several the last counts.
   */
  selectByEvmAddress(addresses: Uint8Array[], before: bigint): Promise<NamedEntity[]>;
  selectByAlias(aliases: Uint8Array[], before: bigint): Promise<NamedEntity[]>;
  /** The EVM addresses of those of the entities that have their own. */
  selectEvmAddresses?(ids: bigint[], before: bigint): Promise<NamedEntity[]>;
  /** Cached names; the least recently used are evicted first. */
  maxNames?: number;
};

export function createEntityNames({
  selectByEvmAddress,
  selectByAlias,
  selectEvmAddresses = async () => [],
  maxNames = 200_000,
}: EntityNamesOptions): EntityNames {
  const cache = createLeastRecentCache<bigint>(maxNames);
  // As text, one character a byte: a byte array would keep its whole file in memory.
  const addresses = createLeastRecentCache<string | null>(maxNames);
  const keepAddress = (id: string, address: Uint8Array | null): void =>
    addresses.set(id, address === null ? null : toText(address));
  return {
    forBlock: (before) => {
      // The cache may evict a name before the block is done; these stay.
      const fetched = new Map<string, bigint>();
      const fetchedAddresses = new Map<string, Uint8Array | null>();
      const missing: Missing = { evmAddresses: new Map(), aliases: new Map(), ids: new Set() };
      let learned = new Map<string, bigint>();
      let learnedAddresses = new Map<string, Uint8Array>();

      const fetch = async (
        kind: NameKind,
        names: Map<string, Uint8Array>,
        select: (names: Uint8Array[], before: bigint) => Promise<NamedEntity[]>,
      ): Promise<void> => {
        if (names.size === 0) return;
        const found = new Map((await select([...names.values()], before)).map(({ id, name }) => [toText(name), id]));
        for (const text of names.keys()) {
          const id = found.get(text) ?? 0n;
          fetched.set(kind + text, id);
          cache.set(kind + text, id);
        }
        names.clear();
      };

      const fetchAddresses = async (): Promise<void> => {
        if (missing.ids.size === 0) return;
        const found = new Map((await selectEvmAddresses([...missing.ids], before)).map(({ id, name }) => [id, name]));
        for (const id of missing.ids) {
          fetchedAddresses.set(`${id}`, found.get(id) ?? null);
          keepAddress(`${id}`, found.get(id) ?? null);
        }
        missing.ids.clear();
      };

      return {
        beginPass: () => {
          learned = new Map();
          learnedAddresses = new Map();
          const known = learned;
          const knownAddresses = learnedAddresses;
          return createLookup({
            learned: known,
            learnedAddresses: knownAddresses,
            missing,
            findAddress: (id) => knownAddresses.get(id) ?? fetchedAddresses.get(id) ?? toAddress(addresses.get(id)),
            find: (name) => known.get(name) ?? fetched.get(name) ?? cache.get(name),
          });
        },
        hasMissing: () => missing.evmAddresses.size + missing.aliases.size + missing.ids.size > 0,
        fetchMissing: async () => {
          await fetch('evm', missing.evmAddresses, selectByEvmAddress);
          await fetch('alias', missing.aliases, selectByAlias);
          await fetchAddresses();
        },
        keep: () => {
          for (const [name, id] of learned) cache.set(name, id);
          for (const [id, address] of learnedAddresses) keepAddress(id, address);
        },
      };
    },
  };
}

type NameKind = 'evm' | 'alias';
type Missing = { evmAddresses: Map<string, Uint8Array>; aliases: Map<string, Uint8Array>; ids: Set<bigint> };

type LookupParts = {
  learned: Map<string, bigint>;
  learnedAddresses: Map<string, Uint8Array>;
  missing: Missing;
  /** By the id's digits; undefined = unknown, null = it only has the long-zero one. */
  findAddress(id: string): Uint8Array | null | undefined;
  find(name: string): bigint | undefined;
};

function createLookup({ learned, learnedAddresses, missing, find: findKnown, findAddress }: LookupParts): EntityLookup {
  const find = (kind: NameKind, name: Uint8Array, missed: Map<string, Uint8Array>): bigint => {
    const text = toText(name);
    const known = findKnown(kind + text);
    if (known !== undefined) return known;
    missed.set(text, name);
    return 0n;
  };

  const byEvmAddress = (address: Uint8Array): bigint => {
    if (address.length !== evmAddressLength) return 0n;
    if (isLongZeroAddress(address)) return fromLongZeroAddress(address);
    return find('evm', address, missing.evmAddresses);
  };

  const byAlias = (alias: Uint8Array): bigint => {
    if (alias.length === 0) return 0n;
    if (alias.length === evmAddressLength) return byEvmAddress(alias);
    const id = find('alias', alias, missing.aliases);
    if (id !== 0n) return id;
    const address = aliasToEvmAddress(alias);
    return address ? byEvmAddress(address) : 0n;
  };

  return {
    byEvmAddress,
    byAlias,
    account: (id) => (id?.alias && id.alias.length > 0 ? byAlias(id.alias) : toEntityId(id)),
    contract: (id) => (id?.evmAddress && id.evmAddress.length > 0 ? byEvmAddress(id.evmAddress) : toEntityId(id)),
    evmAddressOf: (id) => {
      const known = findAddress(`${id}`);
      if (known === undefined) missing.ids.add(id);
      return known ?? toLongZeroAddress(id);
    },
    remember: (id, { evmAddress, alias }) => {
      if (evmAddress && evmAddress.length > 0) learnedAddresses.set(`${id}`, evmAddress);
      if (evmAddress && evmAddress.length > 0) learned.set(`evm${toText(evmAddress)}`, id);
      if (alias && alias.length > 0) learned.set(`alias${toText(alias)}`, id);
    },
  };
}

function toText(name: Uint8Array): string {
  return Buffer.from(name.buffer, name.byteOffset, name.byteLength).toString('latin1');
}

function toAddress(text: string | null | undefined): Uint8Array | null | undefined {
  return typeof text === 'string' ? Buffer.from(text, 'latin1') : text;
}

type LeastRecentCache<Value> = { get(name: string): Value | undefined; set(name: string, value: Value): void };

function createLeastRecentCache<Value>(maxNames: number): LeastRecentCache<Value> {
  const entries = new Map<string, Value>();
  const set = (name: string, value: Value): void => {
    entries.delete(name);
    entries.set(name, value);
    if (entries.size > maxNames) entries.delete(entries.keys().next().value!);
  };
  return {
    get: (name) => {
      const value = entries.get(name);
      if (value !== undefined) set(name, value);
      return value;
    },
    set,
  };
}
