// The metadata that the code of a contract names, and its sources: from a verified contract of the same source. Nothing
// is fetched from IPFS.
import type { VerificationArchive } from '../archive/verification-archive.ts';
import { readAuxdata } from '../explain/auxdata.ts';
import type { InputFile } from '../metadata/sort-files.ts';
import { type Chain, type ChainRegistry, resolveContract } from '../registry/chain-registry.ts';
import { toHex } from '../terms/hex.ts';
import type { OnchainSource } from '../terms/onchain-contract.ts';
import { VerificationError } from '../terms/verification-error.ts';

export type FindMetadata = (chainId: string, address: string) => Promise<InputFile[]>;

type Options = {
  registry: ChainRegistry;
  onchainSource: (chain: Chain) => OnchainSource;
  archive: VerificationArchive;
};

/** Throws a VerificationError if the code names no metadata, or metadata that is not here. */
export function createFindMetadata({ registry, onchainSource, archive }: Options): FindMetadata {
  return async (chainId, asked) => {
    const { chain, address } = resolveContract(registry, chainId, asked);
    const { runtimeCode } = await onchainSource(chain).read(address);
    const hash = runtimeCode && readAuxdata(toHex(runtimeCode))?.hash;
    if (!runtimeCode || hash?.kind !== 'ipfs') {
      throw new VerificationError('invalid_parameter', "The contract doesn't have a metadata IPFS CID");
    }
    const files = await archive.findMetadata(runtimeCode, hash.hex);
    if (files) return files;
    const message = `Could not retrieve metadata from ${hash.hex}: no verified contract here has it, and nothing is fetched.`;
    throw new VerificationError('not_found', message);
  };
}
