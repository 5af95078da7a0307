// The checked ABI of a contract of the mirrored ledger: its own, that of a contract with the same code, and of a proxy
// also that of its implementation. Found ones are kept until a block or a match is added.
import { LRUCache } from 'lru-cache';
import { type Abi, emptyAbi, joinAbis } from '../../../packages/abi/abi.ts';
import { toChecksumAddress } from '../../../packages/abi/checksum-address.ts';
import { toLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import type { VerificationArchive } from '../../../packages/verification/archive/verification-archive.ts';
import { toHex } from '../../../packages/verification/terms/hex.ts';
import type { OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import type { Implementation, Implementations } from './implementations.ts';
import type { VerifiedAbi, VerifiedAbis } from './verified-abis.ts';

export type ContractAbi = {
  /** What the address understands: its own and the implementation's. */
  abi: Abi;
  own: VerifiedAbi | null;
  implementation: {
    kind: Implementation['kind'];
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
  archive: VerificationArchive;
  /** Of the ledger. */
  onchain: OnchainSource;
  verified: VerifiedAbis;
  implementations: Implementations;
  /** Changes with each block; a constant if that is not known. */
  turn: () => number;
};

/** Characters of JSON of the ABIs that are kept. */
const maxKeptLength = 16_000_000;
/** Matches of other processes show after this time, ms. */
const maxAgeMs = 5_000;

export function createContractAbis({ archive, onchain, verified, implementations, turn }: Options): ContractAbis {
  const found = new LRUCache<string, { value: ContractAbi | null; size: number }>({
    maxSize: maxKeptLength,
    sizeCalculation: ({ size }) => size,
    ttl: maxAgeMs,
    fetchMethod: (key) => resolve(key.slice(key.lastIndexOf(' ') + 1)),
  });

  async function resolve(address: string): Promise<{ value: ContractAbi | null; size: number }> {
    const contract = await onchain.read(address);
    if (contract.kind !== 'contract') return { value: null, size: 1000 };
    const behind = await implementations.find(contract);
    // The match of a clone is that of its implementation.
    const own = behind?.kind === 'eip1167' ? null : await verified.of(contract);
    const implementation = behind && (await verified.of(behind.contract));
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
