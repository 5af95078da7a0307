// The operation itself: a contract is checked against an explorer's record of it. Every check that could be made has an
// answer with a reason; repeating the request gives the same stored answer; equal requests in flight share one check. A
// request waits no longer than clients do, and its check continues. An answer other than "perfect" is checked again
// after a while, in case the record has changed.
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { toChecksumAddress } from '../abi/checksum-address.ts';
import { type ContractCheck, deploymentOf, identityOf, toContractCheck } from './archive/contract-check.ts';
import { codeHashOf, hashClaim, type KeptCheck, type VerificationArchive } from './archive/verification-archive.ts';
import type { Verifier } from './create-verifier.ts';
import type { ExplorerRecord } from './explorers/explorer-record.ts';
import type { Explorers } from './explorers/explorers.ts';
import { type Chain, type ChainRegistry, resolveContract } from './registry/chain-registry.ts';
import { createSharedAcrossKeys } from './share-across-keys.ts';
import { toHex } from './terms/hex.ts';
import type { OnchainContract, OnchainSource } from './terms/onchain-contract.ts';
import { VerificationError } from './terms/verification-error.ts';

export type VerifyExplorerOptions = {
  registry: ChainRegistry;
  /** The code of each chain of the registry. */
  onchainSource: (chain: Chain) => OnchainSource;
  explorers: Explorers;
  verifier: Verifier;
  archive: VerificationArchive;
  /** How long an answer other than `perfect` is repeated without asking the explorer. */
  recheckMs?: number;
  /** How long a request waits for its check. */
  maxWaitMs?: number;
  /** Reports a check that no request waits for any more. */
  log: (sentence: string, error: Error) => void;
};

export type VerifyExplorerRequest = {
  chainId: string;
  address: string;
  /** Used for the first explorer that accepts a key, and nowhere else. */
  apiKey?: string | undefined;
  /** Whose share of the queue it takes. */
  client: string;
};

export type VerifyExplorer = {
  /**
   * Throws a VerificationError if no check could be made; `too_many_jobs` also if it is not done in time and continues.
   */
  verify(request: VerifyExplorerRequest): Promise<ContractCheck>;
  /** The chain, the contract there and its record, for a job to check. */
  prepare(request: VerifyExplorerRequest): Promise<PreparedCheck>;
  /** Resolves when no check runs any more. */
  settled(): Promise<void>;
};

type PreparedCheck = { chain: Chain; onchain: OnchainContract; record: ExplorerRecord };

export function createVerifyExplorer(options: VerifyExplorerOptions): VerifyExplorer {
  const { registry, onchainSource, log, maxWaitMs = 50_000 } = options;
  const check = createRecordCheck(options);
  const checks = createSharedAcrossKeys<ContractCheck>();
  const preparations = createSharedAcrossKeys<PreparedCheck>();
  /**
   * Errors of checks that no request waited for: they are stored nowhere else, and the next request would start over.
   */
  const unheard = new LRUCache<string, VerificationError>({ max: 1000, ttl: 600_000 });

  function resolve({ chainId, address }: VerifyExplorerRequest): { chain: Chain; address: string; name: string } {
    const found = resolveContract(registry, chainId, address);
    if (found.chain.explorers.length > 0) return { ...found, name: JSON.stringify([chainId, found.address]) };
    const message = `Requested chain ${chainId} is not supported for importing from an explorer: none is configured for it.`;
    throw new VerificationError('unsupported_chain', message);
  }

  return {
    async verify(request) {
      const { chain, address, name } = resolve(request);
      const ended = unheard.get(name);
      unheard.delete(name);
      if (ended) throw ended;
      const checked = checks.share(name, request.apiKey, () => check(chain, address, request));
      const answer = await Promise.race([checked, sleep(maxWaitMs, null, { ref: false })]).catch((error: unknown) => {
        unheard.delete(name);
        throw error;
      });
      if (answer !== null) return answer;
      checked.catch((error: Error) => {
        if (error instanceof VerificationError) unheard.set(name, error);
        else log('a contract check failed', error);
      });
      throw new VerificationError(
        'too_many_jobs',
        `The check of this contract has been waiting or running for ${maxWaitMs / 1000} seconds. It continues: send the same request in ${comeAgainSeconds} seconds.`,
        { retryAfterSeconds: comeAgainSeconds },
      );
    },
    async prepare(request) {
      const { chain, address, name } = resolve(request);
      return preparations.share(name, request.apiKey, async () => {
        const onchain = await onchainSource(chain).read(address);
        const record = await findRecord(options, chain, onchain, request.apiKey);
        if (record !== null) return { chain, record, onchain };
        throw notVerified(chain);
      });
    },
    async settled() {
      await Promise.all([checks.settled(), preparations.settled()]);
    },
  };
}

/** A repeated request waits for the same check. */
const comeAgainSeconds = 5;

type RecordCheck = (chain: Chain, address: string, request: VerifyExplorerRequest) => Promise<ContractCheck>;

function createRecordCheck(options: VerifyExplorerOptions): RecordCheck {
  const { onchainSource, verifier, archive, recheckMs = 600_000 } = options;
  return async (chain, address, { apiKey, client }) => {
    // A remote chain may be away; a final result needs no second look at it.
    const remote = chain.bytecode.kind !== 'ledger';
    const early = remote ? await archive.findCheck(chain.chainId, address) : null;
    if (early && isSettled(early)) return early.check;

    const source = onchainSource(chain);
    const onchain = await source.read(address);
    const simple = verifier.answerWithoutSources(onchain);
    if (simple) return toContractCheck(onchain, simple);
    const kept = await findFitting(archive, onchain);
    if (kept && (isSettled(kept) || Date.now() - kept.checkedAtMs < recheckMs)) return kept.check;

    const record = await findRecord(options, chain, onchain, apiKey).catch((error: unknown) => {
      if (kept) return null;
      throw error;
    });
    if (record === null) return kept?.check ?? withoutRecord(archive, chain, onchain);
    const claimHash = hashClaim(record.claim);
    if (kept?.claimHash.equals(claimHash)) {
      await archive.keepCheck(onchain, kept);
      return kept.check;
    }
    const deployed = await source.withCreation(onchain, record.creationTransactionHash);
    const outcome = await verifier.verify(deployed, record.claim, client);
    const answer = toContractCheck(deployed, outcome);
    await archive.keepContract(deployed, outcome, 'explorer');
    if (outcome.code !== 'onchain_bytecode_not_available') {
      await archive.keepCheck(deployed, { claimHash, check: answer });
    }
    return answer;
  };
}

/** A stored result counts only for the code that is on chain now. */
async function findFitting(archive: VerificationArchive, onchain: OnchainContract): Promise<KeptCheck | null> {
  const kept = await archive.findCheck(onchain.chainId, onchain.address);
  const codeHash = codeHashOf(onchain)?.toString('hex');
  return kept && kept.codeHash?.toString('hex') === codeHash ? kept : null;
}

function findRecord(
  { explorers }: VerifyExplorerOptions,
  chain: Chain,
  { address, otherAddresses, implementation }: OnchainContract,
  apiKey: string | undefined,
): Promise<ExplorerRecord | null> {
  const addresses = [address, ...otherAddresses, ...(implementation ? [implementation.address] : [])];
  return explorers.findRecord(chain, addresses, apiKey);
}

/** No explorer has a record: it may still have been verified here, itself or through another contract with its code. */
async function withoutRecord(
  archive: VerificationArchive,
  chain: Chain,
  onchain: OnchainContract,
): Promise<ContractCheck> {
  const own = await archive.findContract(onchain.chainId, onchain.address);
  const matches = [own?.creationMatch, own?.runtimeMatch];
  const ownMatch = matches.includes('perfect') ? 'perfect' : (own?.creationMatch ?? own?.runtimeMatch);
  const twin = ownMatch ? null : await archive.findTwin(onchain);
  const status = ownMatch ?? twin?.runtimeMatch;
  if (!status) throw notVerified(chain);
  const reason = twin
    ? `Its runtime code is byte for byte that of ${toChecksumAddress(toHex(twin.address))} on chain ${twin.chainId}, which is verified here (runtime: ${status}).`
    : `It was verified here from other sources (runtime: ${own?.runtimeMatch ?? 'no match'}, creation: ${own?.creationMatch ?? 'no match'}).`;
  return {
    ...identityOf(onchain),
    status,
    message: `${explorerNames(chain, 'conjunction')} had no record of this contract. ${reason}`,
    libraryMap: {},
    ...deploymentOf(onchain),
  };
}

function isSettled({ check }: KeptCheck): boolean {
  return check.status === 'perfect';
}

function notVerified(chain: Chain): VerificationError {
  return new VerificationError('not_etherscan_verified', `This contract is not verified on ${explorerNames(chain)}.`);
}

function explorerNames({ explorers }: Chain, type: 'conjunction' | 'disjunction' = 'disjunction'): string {
  return new Intl.ListFormat('en', { type }).format(explorers.map(({ name }) => name));
}
