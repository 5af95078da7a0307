// What a job tries: one claim, the claim of metadata and sources, or the sources of contracts with similar code.
import type { VerificationArchive } from './archive/verification-archive.ts';
import type { Verifier } from './create-verifier.ts';
import { assembleSources, assertComplete, isComplete, toClaim, withAllSources } from './metadata/assemble-sources.ts';
import type { SolidityMetadata } from './metadata/solidity-metadata.ts';
import type { InputFile } from './metadata/sort-files.ts';
import { createSourcePool } from './metadata/source-pool.ts';
import type { Chain } from './registry/chain-registry.ts';
import type { OnchainContract, OnchainSource } from './terms/onchain-contract.ts';
import type { SourceClaim } from './terms/source-claim.ts';
import { VerificationError, type VerificationErrorCode } from './terms/verification-error.ts';
import type { VerificationOutcome } from './terms/verification-outcome.ts';
import { verifyWithFallback } from './verify-sources.ts';

/** The outcome, and what it is the outcome of. `signal`: ends its waiting with its reason. */
export type Attempt = (
  onchain: OnchainContract,
  signal: AbortSignal,
) => Promise<{ outcome: VerificationOutcome; claim: SourceClaim }>;

export function attemptClaim(verifier: Verifier, claim: SourceClaim, client: string): Attempt {
  return async (onchain, signal) => ({ outcome: await verifier.verify(onchain, claim, client, signal), claim });
}

type FromMetadata = { metadata: SolidityMetadata; files: readonly InputFile[]; client: string };

/** Missing sources are the job's own failure; a claim that no compiler should see is refused at once. */
export async function attemptMetadata(
  verifier: Verifier,
  { metadata, files, client }: FromMetadata,
): Promise<{ claim: SourceClaim; attempt: Attempt }> {
  const assembled = await assembleSources(metadata, createSourcePool(files), { pathsCount: true });
  const claim = toClaim(metadata, assembled);
  if (isComplete(assembled)) await verifier.assertClaim(claim);
  const attempt: Attempt = async (onchain, signal) => {
    assertComplete(assembled);
    const fallback = withAllSources(claim, files);
    return { outcome: await verifyWithFallback(verifier, onchain, { claim, fallback, client }, signal), claim };
  };
  return { claim, attempt };
}

/** After this long no further candidate is tried. */
const maxSimilarMs = 10 * 60_000;

export function attemptSimilar(verifier: Verifier, archive: VerificationArchive, client: string): Attempt {
  return async (onchain, signal) => {
    const { runtimeCode } = onchain.implementation ?? onchain;
    const claims = runtimeCode ? await archive.findSimilar(runtimeCode) : [];
    const deadline = Date.now() + maxSimilarMs;
    for (const claim of claims) {
      if (Date.now() > deadline) break;
      const outcome = await verifier.verify(onchain, claim, client, signal).catch(orSkipped);
      if (outcome?.code === 'match') return { outcome, claim };
    }
    const message = 'No similar verified contracts were found in the database.';
    throw new VerificationError('no_similar_match_found', message);
  };
}

/**
 * A candidate that cannot be compiled here is none. Whatever else goes wrong would go wrong with every other one, too.
 */
function orSkipped(error: unknown): null {
  if (error instanceof VerificationError && skipped.includes(error.code)) return null;
  throw error;
}

const skipped: readonly VerificationErrorCode[] = [
  'compiler_not_available',
  'compiler_error',
  'compiler_limit',
  'contract_not_found_in_compiler_output',
  'invalid_compiler_version',
  'invalid_sources',
  'no_compiler_output',
  'unsupported_language',
];

/** The contract with its runtime code, without which nothing can be similar. */
export async function readCode(source: OnchainSource, chain: Chain, address: string): Promise<OnchainContract> {
  const onchain = await source.read(address).catch((cause: unknown) => {
    const message = `Failed to get bytecode for chain ${chain.chainId} and address ${address}.`;
    throw new VerificationError('failed_to_get_bytecode', message, { cause });
  });
  const isKnown = onchain.kind === 'token' || onchain.kind === 'system' || onchain.runtimeCode !== null;
  if (onchain.kind !== 'none' && isKnown) return onchain;
  const message = `There is no bytecode at address ${address} on chain ${chain.chainId}.`;
  throw new VerificationError('cannot_fetch_bytecode', message, { status: 404 });
}
