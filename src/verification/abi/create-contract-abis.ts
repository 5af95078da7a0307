// The checked ABI of a contract of the mirrored ledger: its own, that of a contract with the same code, and of a proxy also that
// of its implementation. Found ones are kept until a block or a match is added.
import { LRUCache } from 'lru-cache';
import { toLongZeroAddress } from '../../protocol/hapi/evm-address.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import { selectVerifiedAbi } from '../../store/verification/select-verified-abi.ts';
import type { VerifiedContractRow } from '../../store/verification/select-verified-contracts.ts';
import type { Database } from '../../store/wire/database.ts';
import type { VerificationArchive } from '../archive/verification-archive.ts';
import { readAddressSlot, readStorageProxy, type StorageProxy } from '../onchain/storage-proxy.ts';
import { toChecksumAddress } from '../terms/contract-address.ts';
import { toHex } from '../terms/hex.ts';
import type { OnchainContract, OnchainSource } from '../terms/onchain-contract.ts';
import { type Abi, emptyAbi, joinAbis } from './abi.ts';
import { readAbi } from './read-abi.ts';
import { findAddressSlot } from './storage-layout.ts';

export type VerifiedAbi = {
  /** Of the contract, as in its source. */
  name: string;
  abi: Abi;
  match: 'perfect' | 'partial';
  /** Checked for this contract, with EIP-55 checksum; it has the same code. null = the contract itself was checked. */
  similarTo: string | null;
};

export type ContractAbi = {
  /** What the address understands: its own and the implementation's. */
  abi: Abi;
  own: VerifiedAbi | null;
  implementation: {
    kind: 'eip1167' | StorageProxy['kind'];
    /** With EIP-55 checksum. */
    address: string;
    verified: VerifiedAbi | null;
  } | null;
};

export type ContractAbis = {
  /** By packed id or address (0x and 40 hex digits). null = neither the contract nor its implementation was checked. */
  find(contract: bigint | string): Promise<ContractAbi | null>;
};

/** Where no contract was checked. */
export const noContractAbis: ContractAbis = { find: async () => null };

type Options = {
  db: Database;
  archive: VerificationArchive;
  /** Of the ledger. */
  onchain: OnchainSource;
  system: SystemRealm;
  /** Changes with each block; a constant if nobody knows. */
  turn: () => number;
};

/** Characters of JSON of one ABI, and of all that are kept. */
const maxAbiLength = 1_000_000;
const maxKeptLength = 16_000_000;
/** Matches of other processes show after this time, ms. */
const maxAgeMs = 5_000;

type Sized<T> = { value: T; size: number };

export function createContractAbis(options: Options): ContractAbis {
  const { db, archive, onchain, system, turn } = options;
  /** By id of the match, which another match of the contract does not have. */
  const read = new LRUCache<bigint, Sized<{ name: string; abi: Abi; layout: unknown }>>({
    maxSize: maxKeptLength,
    sizeCalculation: ({ size }) => size,
    fetchMethod: (id) => readMatch(id),
  });
  const found = new LRUCache<string, Sized<ContractAbi | null>>({
    maxSize: maxKeptLength,
    sizeCalculation: ({ size }) => size,
    ttl: maxAgeMs,
    fetchMethod: (key) => resolve(key.slice(key.lastIndexOf(' ') + 1)),
  });

  async function readMatch(id: bigint) {
    const row = await selectVerifiedAbi(db, id, maxAbiLength);
    const abi = readAbi(row?.abi == null ? null : JSON.parse(row.abi));
    const layout: unknown = row?.storageLayout == null ? null : JSON.parse(row.storageLayout);
    return { value: { name: row?.name ?? '', abi, layout }, size: 1000 + (row?.abi?.length ?? 0) };
  }

  async function findMatch(contract: OnchainContract) {
    for (const address of [contract.address, ...contract.otherAddresses]) {
      const row = await archive.findContract(contract.chainId, address);
      if (row) return { row, isTwin: false };
    }
    const row = await archive.findTwin(contract);
    return row && { row, isTwin: true };
  }

  async function findVerified(contract: OnchainContract) {
    const match = await findMatch(contract);
    if (match === null) return null;
    const { value, size } = (await read.fetch(match.row.id))!;
    const { name, abi, layout } = value;
    const similarTo = match.isTwin ? toChecksumAddress(toHex(match.row.address)) : null;
    return { verified: { name, abi, match: levelOf(match.row), similarTo }, layout, size };
  }

  async function findImplementation(contract: OnchainContract) {
    const { implementation } = contract;
    if (implementation) return { kind: 'eip1167' as const, contract: implementation };
    const proxy = await readStorageProxy(db, contract, system);
    if (proxy === null) return null;
    const target = await onchain.read(proxy.address);
    if (proxy.kind === 'eip1967') return { kind: proxy.kind, contract: target };
    const address = await readBeacon(target);
    return address === null ? null : { kind: proxy.kind, contract: await onchain.read(address) };
  }

  /** Where a checked beacon keeps its implementation is known from its sources. */
  async function readBeacon(beacon: OnchainContract): Promise<string | null> {
    const slot = findAddressSlot((await findVerified(beacon))?.layout, beaconVariables);
    return slot && readAddressSlot(db, beacon, slot, system);
  }

  async function resolve(address: string): Promise<Sized<ContractAbi | null>> {
    const contract = await onchain.read(address);
    if (contract.kind !== 'contract') return { value: null, size: 1000 };
    const behind = await findImplementation(contract);
    // The match of a clone is that of its implementation.
    const own = behind?.kind === 'eip1167' ? null : await findVerified(contract);
    const implementation = behind && (await findVerified(behind.contract));
    const size = 1000 + (own?.size ?? 0) + (implementation?.size ?? 0);
    if (!own && !implementation) return { value: null, size };
    const value = {
      abi: joinAbis(own?.verified.abi ?? emptyAbi, implementation?.verified.abi ?? emptyAbi),
      own: own?.verified ?? null,
      implementation: behind && {
        kind: behind.kind,
        address: toChecksumAddress(behind.contract.address),
        verified: implementation?.verified ?? null,
      },
    };
    return { value, size };
  }

  return {
    async find(contract) {
      const address = typeof contract === 'bigint' ? toHex(toLongZeroAddress(contract)) : contract.toLowerCase();
      const entry = await found.fetch(`${turn()} ${archive.keptContracts()} ${address}`);
      return entry?.value ?? null;
    },
  };
}

/** OpenZeppelin's and those that follow it. */
const beaconVariables = ['_implementation', 'implementation', '__implementation'];

function levelOf({ runtimeMatch, creationMatch }: VerifiedContractRow): 'perfect' | 'partial' {
  return runtimeMatch === 'perfect' || creationMatch === 'perfect' ? 'perfect' : 'partial';
}
