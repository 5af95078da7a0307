// What contract checks are made with, in every process that makes some: chains and their code, compilers, stored
// results.
import { join } from 'node:path';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import {
  createVerificationArchive,
  type VerificationArchive,
} from '../../../packages/verification/archive/verification-archive.ts';
import { createVerifier, type Verifier, type VerifierOptions } from '../../../packages/verification/create-verifier.ts';
import { createRpcChain } from '../../../packages/verification/onchain/rpc-chain.ts';
import {
  type Chain,
  type ChainRegistry,
  createChainRegistry,
} from '../../../packages/verification/registry/chain-registry.ts';
import { readChainFile } from '../../../packages/verification/registry/read-chain-file.ts';
import type { OnchainSource } from '../../../packages/verification/terms/onchain-contract.ts';
import { type AskContract, createLedgerChain } from '../../contracts/onchain/ledger-chain.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export type Checking = {
  registry: ChainRegistry;
  onchainSource: (chain: Chain) => OnchainSource;
  verifier: Verifier;
  archive: VerificationArchive;
};

export type CheckingOptions = {
  db: Database;
  settings: Settings;
  log: Logger;
  system: SystemRealm;
  ask?: AskContract | undefined;
  /** The chain that this mirror stores; a configured chain of the same id replaces it. */
  ownChain: Chain;
  /** Checks that may wait, of all clients and of one. */
  queue: Pick<VerifierOptions['limits'], 'queue' | 'perClient'>;
} & Pick<VerifierOptions, 'isBusy' | 'onRefused'>;

/** Throws UsageError. */
export function createChecking(options: CheckingOptions): Checking {
  const { db, settings, log, system, ask, ownChain, queue, isBusy, onRefused } = options;
  const chains = [ownChain, ...configuredChains(settings)];
  const registry = createChainRegistry(chains, system);
  const sources = new Map<Chain, OnchainSource>(
    chains.map((chain) => {
      const { chainId, bytecode } = chain;
      const source =
        bytecode.kind === 'ledger'
          ? createLedgerChain({ chain, db, system, ask })
          : createRpcChain({ chainId, urls: [...bytecode.urls], timeoutMs: bytecode.timeoutMs });
      return [chain, source];
    }),
  );
  const verifier = createVerifier({
    compilers: {
      folder: settings.find('verify-compilers') ?? join(settings.get('data-dir'), 'compilers'),
      download: settings.get('verify-download'),
      downloadUrl: settings.get('verify-download-url'),
    },
    limits: {
      compileMs: settings.get('verify-compile-seconds') * 1000,
      memoryBytes: settings.get('verify-compile-memory') * 1_000_000,
      concurrent: settings.get('verify-concurrent'),
      inputBytes: settings.get('verify-input'),
      ...queue,
    },
    ...(isBusy && { isBusy }),
    ...(onRefused && { onRefused }),
    log: (line) => log.info(line),
    warn: (line) => log.warn(line),
  });
  const warn = (sentence: string, error: Error): void => log.warn({ err: error }, sentence);
  return {
    registry,
    onchainSource: (chain) => sources.get(chain)!,
    verifier,
    archive: createVerificationArchive({ db, log: warn }),
  };
}

function configuredChains(settings: Settings): Chain[] {
  const path = settings.find('verify-chains');
  if (path === undefined) return [];
  try {
    return readChainFile(path, process.env);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
