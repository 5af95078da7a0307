// The checked ABI of a contract of the mirrored ledger: its own, that of a contract with the same code, and of a proxy
// also that of its implementation. Found ones are kept until a block or a match is added.
import { LRUCache } from 'lru-cache';
import { type Abi, emptyAbi, joinAbis } from '../../../packages/abi/abi.ts';
import { toChecksumAddress } from '../../../packages/abi/checksum-address.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import type { VerificationArchive } from '../../../packages/verification/archive/verification-archive.ts';
import { findProxy, type ProxyKind } from '../../../packages/verification/onchain/find-proxy.ts';
import { toHex } from '../../../packages/verification/terms/hex.ts';
import type { OnchainContract, OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import { VerificationError } from '../../../packages/verification/terms/verification-error.ts';
import type { VerifiedAbi, VerifiedAbis } from './verified-abis.ts';

export type ContractAbi = {
  /** What the address understands: its own and the implementation's. */
  abi: Abi;
  own: VerifiedAbi | null;
  proxy: ShownProxy | null;
};

export type ShownProxy = {
  kind: ProxyKind;
  /** One; of a diamond its facets. With EIP-55 checksum. */
  implementations: { address: string; verified: VerifiedAbi | null }[];
};

export type ContractAbis = {
  /** By packed id or address (0x and 40 hex digits). null = neither the contract nor what is behind it was checked. */
  find(contract: bigint | string): Promise<ContractAbi | null>;
  /** Whether or not anything was checked. null = it is no proxy, or cannot be asked now. */
  proxy(contract: bigint | string): Promise<ShownProxy | null>;
};

/** Where no contract was checked. */
export const noContractAbis: ContractAbis = { find: async () => null, proxy: async () => null };

type Options = {
  archive: VerificationArchive;
  /** Of the ledger. */
  onchain: OnchainSource;
  verified: VerifiedAbis;
  /** Changes with each block; a constant if that is not known. */
  turn: () => number;
};

type Known = { abi: ContractAbi | null; proxy: ShownProxy | null; size: number };

/** Characters of JSON of the ABIs that are kept, and of those of one contract's facets. */
const maxKeptLength = 16_000_000;
const maxFacetsLength = 4_000_000;
/** Matches of other processes show after this time, ms. */
const maxAgeMs = 5_000;

export function createContractAbis({ archive, onchain, verified, turn }: Options): ContractAbis {
  const found = new LRUCache<string, Known>({
    maxSize: maxKeptLength,
    sizeCalculation: ({ size }) => size,
    ttl: maxAgeMs,
    fetchMethod: (key) => resolve(key.slice(key.lastIndexOf(' ') + 1)),
  });

  async function readProxy(contract: OnchainContract): Promise<{ proxy: ShownProxy | null; size: number }> {
    const asked = findProxy(contract, onchain).catch((error: unknown) => {
      // The contract is shown as it is while what is behind it cannot be asked.
      if (error instanceof VerificationError) return null;
      throw error;
    });
    const proxy = await asked;
    let size = 0;
    const implementations: ShownProxy['implementations'] = [];
    for (const address of proxy?.implementations ?? []) {
      const behind = contract.implementation ?? (await onchain.read(address));
      const match = size > maxFacetsLength ? null : await verified.of(behind);
      size += 100 + (match?.size ?? 0);
      implementations.push({ address: toChecksumAddress(behind.address), verified: match?.verified ?? null });
    }
    return { proxy: proxy && { kind: proxy.kind, implementations }, size };
  }

  async function resolve(address: string): Promise<Known> {
    const contract = await onchain.read(address);
    if (contract.kind !== 'contract') return { abi: null, proxy: null, size: 1000 };
    const { proxy, size: behindSize } = await readProxy(contract);
    // The match of a clone is that of its implementation.
    const own = proxy?.kind === 'eip1167' ? null : await verified.of(contract);
    const size = 1000 + (own?.size ?? 0) + behindSize;
    const behind = proxy?.implementations.flatMap((one) => one.verified ?? []) ?? [];
    if (!own && behind.length === 0) return { abi: null, proxy, size };
    const abi = behind.reduce((joined, one) => joinAbis(joined, one.abi), own?.verified.abi ?? emptyAbi);
    return { abi: { abi, own: own?.verified ?? null, proxy }, proxy, size };
  }

  async function read(contract: bigint | string): Promise<Known> {
    const address = typeof contract === 'bigint' ? toHex(toLongZeroAddress(contract)) : contract.toLowerCase();
    return (await found.fetch(`${turn()} ${archive.keptContracts()} ${address}`))!;
  }

  return {
    find: async (contract) => (await read(contract)).abi,
    proxy: async (contract) => (await read(contract)).proxy,
  };
}
