// A check of handed-in sources whose result the request waits for: compiled, compared and stored like every other one.
// Equal requests share a check; one that takes longer than clients wait goes on, and the same request gets its result.
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createInFlight } from '../kit/share-in-flight.ts';
import { type ContractCheck, toContractCheck } from './archive/contract-check.ts';
import { hashClaim, type VerificationArchive } from './archive/verification-archive.ts';
import type { Verifier } from './create-verifier.ts';
import { type Chain, type ChainRegistry, resolveContract } from './registry/chain-registry.ts';
import type { VerifiedContractRow } from './store/select-verified-contracts.ts';
import type { OnchainContract, OnchainSource } from './terms/onchain-contract.ts';
import type { SourceClaim } from './terms/source-claim.ts';
import { VerificationError } from './terms/verification-error.ts';
import type { VerificationOutcome } from './terms/verification-outcome.ts';

export type VerifySourcesOptions = {
  registry: ChainRegistry;
  onchainSource: (chain: Chain) => OnchainSource;
  verifier: Verifier;
  archive: VerificationArchive;
  /** How long a request waits for its check. */
  maxWaitMs?: number;
  log: (sentence: string, error: Error) => void;
};

export type CheckSourcesRequest = {
  chainId: string;
  address: string;
  claim: SourceClaim;
  /** Tried if the first one meets the compiler's fault with unused files. */
  fallback?: SourceClaim | undefined;
  creationTransactionHash?: string | undefined;
  /** Whose share of the queue it takes. */
  client: string;
  /** false: a match is only reported. */
  keep: boolean;
};

export type CheckedSources = {
  check: ContractCheck;
  /** The match that was stored before, if this one is no better. */
  standing: VerifiedContractRow | null;
};

export type VerifySources = {
  /** A stored match that no check can improve, by any address of the contract. */
  findPerfect(chainId: string, address: string): Promise<VerifiedContractRow | null>;
  /**
   * Throws a VerificationError if no check could be made; `too_many_jobs` also if it is not done in time and continues.
   */
  verify(request: CheckSourcesRequest): Promise<CheckedSources>;
  /** Resolves when no check runs any more. */
  settled(): Promise<void>;
};

export function createVerifySources(options: VerifySourcesOptions): VerifySources {
  const { registry, onchainSource, archive, log, maxWaitMs = 50_000 } = options;
  const running = createInFlight<CheckedSources>();
  /** Results that no request waited for any more. */
  const unheard = new LRUCache<string, { checked: CheckedSources } | { error: VerificationError }>({
    max: 500,
    ttl: 600_000,
  });

  return {
    async findPerfect(chainId, asked) {
      const { chain, address } = resolveContract(registry, chainId, asked);
      const byAsked = await archive.findContract(chainId, address);
      if (byAsked || chain.bytecode.kind !== 'ledger') return isPerfect(byAsked) ? byAsked : null;
      const onchain = await onchainSource(chain).read(address);
      const stored = onchain.address === address ? null : await archive.findContract(chainId, onchain.address);
      return isPerfect(stored) ? stored : null;
    },
    async verify(request) {
      const { chain, address } = resolveContract(registry, request.chainId, request.address);
      const { claim, fallback, creationTransactionHash, keep } = request;
      const hashes = [claim, fallback].map((one) => one && hashClaim(one).toString('hex'));
      const name = JSON.stringify([chain.chainId, address, hashes, creationTransactionHash, keep]);
      const ended = unheard.get(name);
      unheard.delete(name);
      if (ended && 'checked' in ended) return ended.checked;
      if (ended) throw ended.error;
      const check = running.share(name, () => checkSources(options, chain, address, request));
      const checked = await Promise.race([check, sleep(maxWaitMs, null, { ref: false })]);
      if (checked !== null) return checked;
      check.then(
        (late) => unheard.set(name, { checked: late }),
        (error: Error) => {
          if (error instanceof VerificationError) unheard.set(name, { error });
          else log('a contract check failed', error);
        },
      );
      const message = `The check of this contract has been waiting or running for ${maxWaitMs / 1000} seconds. It continues: send the same request again.`;
      throw new VerificationError('too_many_jobs', message, { retryAfterSeconds: 5 });
    },
    settled: running.settled,
  };
}

async function checkSources(
  { onchainSource, verifier, archive }: VerifySourcesOptions,
  chain: Chain,
  address: string,
  request: CheckSourcesRequest,
): Promise<CheckedSources> {
  await verifier.assertClaim(request.claim);
  const source = onchainSource(chain);
  const onchain = await source.withCreation(await source.read(address), request.creationTransactionHash);
  const outcome = await verifyWithFallback(verifier, onchain, request);
  const check = toContractCheck(onchain, outcome);
  if (!request.keep || outcome.code !== 'match') return { check, standing: null };
  const before = await archive.findContract(onchain.chainId, onchain.address);
  await archive.keepContract(onchain, outcome, 'request');
  const after = before && (await archive.findContract(onchain.chainId, onchain.address));
  return { check, standing: after && after.id === before.id ? before : null };
}

/** The outcome of the first claim, unless that is the compiler's fault with unused files. */
export async function verifyWithFallback(
  verifier: Verifier,
  onchain: OnchainContract,
  { claim, fallback, client }: Pick<CheckSourcesRequest, 'claim' | 'fallback' | 'client'>,
  waiting?: AbortSignal,
): Promise<VerificationOutcome> {
  const outcome = await verifier.verify(onchain, claim, client, waiting);
  if (outcome.code !== 'extra_file_input_bug' || !fallback) return outcome;
  return verifier.verify(onchain, fallback, client, waiting);
}

function isPerfect(row: VerifiedContractRow | null): boolean {
  return row?.runtimeMatch === 'perfect' && row.creationMatch === 'perfect';
}
