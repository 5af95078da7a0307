// Contract verification of one run, put together: chains, their explorers, compilers, and stored results.

import type { Registry } from 'prom-client';
import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { waitForRoom } from '../../../packages/postgres/wire/wait-for-room.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';
import type { BlockWatch } from '../../../packages/store/notify/block-watch.ts';
import { createContractLookup } from '../../../packages/verification/contract-lookup.ts';
import { createSelfTest } from '../../../packages/verification/create-self-test.ts';
import type { EtherscanOptions } from '../../../packages/verification/etherscan/find-place.ts';
import { createExplorers } from '../../../packages/verification/explorers/explorers.ts';
import type { Chain, ChainRegistry, Explorer } from '../../../packages/verification/registry/chain-registry.ts';
import { describeExplorer } from '../../../packages/verification/registry/describe-explorer.ts';
import { createCheckSession } from '../../../packages/verification/sessions/check-session.ts';
import { createFindMetadata } from '../../../packages/verification/sessions/find-metadata.ts';
import { createSessions } from '../../../packages/verification/sessions/session-store.ts';
import { createSignatureLookup } from '../../../packages/verification/signature-lookup.ts';
import { createVerificationJobs } from '../../../packages/verification/verification-jobs.ts';
import { createVerifiedSources, type VerifiedSources } from '../../../packages/verification/verified-sources.ts';
import { createVerifyExplorer } from '../../../packages/verification/verify-explorer.ts';
import { createVerifySources } from '../../../packages/verification/verify-sources.ts';
import { type ContractAbis, createContractAbis } from '../../contracts/abi/create-contract-abis.ts';
import { createVerifiedAbis } from '../../contracts/abi/verified-abis.ts';
import { type AskContract, createLedgerChain } from '../../contracts/onchain/ledger-chain.ts';
import { countVerifiedShare, type VerifiedShare } from '../../contracts/whole-ledger/count-matches.ts';
import { searchSources } from '../../contracts/whole-ledger/search-sources.ts';
import type { VerificationOptions as VerificationRoutes } from '../../server/add-verification.ts';
import { createChecking } from '../contracts/create-checking.ts';
import { readProgramVersion } from '../program-version.ts';
import type { Settings } from '../settings/load-settings.ts';
import { listSessionOrigins } from '../settings/to-web-access.ts';
import { measureChecks } from '../status/signals/measure-checks.ts';
import { measureMatches } from './measure-matches.ts';

export type Verification = {
  routes: Omit<VerificationRoutes & EtherscanOptions, 'site'>;
  /** Of this ledger's contracts. */
  abis: ContractAbis;
  /** The same, and their files, for pages. */
  sources: VerifiedSources;
  /** Of the contracts that were looked at, those with sources; null = the database does not say. */
  share(): Promise<VerifiedShare | null>;
  /** Throws if contracts cannot be verified. Resolves with how long a check takes, ms. */
  selfTest(): Promise<number>;
  /** Ends running compilations; waits until every job has stored how it ended. */
  close(): Promise<void>;
};

export type VerificationOptions = {
  db: Database;
  settings: Settings;
  log: Logger;
  network: NetworkIdentity;
  /** Folder of the explorer records of the network `demo`. */
  simulatedExplorer?: string;
  system: SystemRealm;
  /** Runs contracts of the ledger; without it what beacons and diamonds say is not known. */
  ask?: AskContract;
  /** Whether this process is busy with queries. */
  isBusy: () => boolean;
  /** The primary in which the sources of all contracts are searched; null = another process does, or it is not ours. */
  searchesIn: string | null;
  /** What is known of the newest block. */
  blocks: BlockWatch;
  registry: Registry;
};

export function createVerification(options: VerificationOptions): Verification {
  const { settings, log, system, isBusy, registry: metrics } = options;
  const checks = measureChecks(metrics);
  const maxRunning = settings.get('verify-concurrent') + settings.get('verify-queue');
  // Queries are refused if they would be late; a check is late anyway.
  const db = waitForRoom(options.db, { maxWaiting: maxRunning });
  const own = ownChain(options);
  const { registry, onchainSource, verifier, archive } = createChecking({
    db,
    settings,
    log,
    system,
    ownChain: own,
    ask: options.ask,
    queue: { queue: settings.get('verify-queue'), perClient: settings.get('verify-client-queue') },
    isBusy,
    onRefused: checks.refused,
  });
  checks.watch(verifier.load);
  const warn = (sentence: string, error: Error): void => log.warn({ err: error }, sentence);
  const verifyExplorer = createVerifyExplorer({
    registry,
    onchainSource,
    explorers: createExplorers(),
    verifier,
    archive,
    recheckMs: settings.get('verify-recheck') * 1000,
    maxWaitMs: settings.get('verify-wait') * 1000,
    log: warn,
  });
  const jobs = createVerificationJobs({
    db,
    registry,
    onchainSource,
    verifier,
    archive,
    verifyExplorer,
    maxRunning,
    maxPerClient: settings.get('verify-client-queue'),
    onRefused: checks.refused,
    log: warn,
  });
  // A configured chain of the same id replaces the mirrored one in lookups, but not on this ledger's pages.
  const onchain = createLedgerChain({ chain: own, db: options.db, system, ask: options.ask });
  const verified = createVerifiedAbis({ db: options.db, archive });
  const turn = () => options.blocks.turn;
  const abis = createContractAbis({ archive, onchain, verified, turn });
  const matched = measureMatches(metrics);
  const search =
    options.searchesIn === null
      ? null
      : searchSources({
          ...{ db, network: options.network, onchain, system, archive, verifier, isBusy, turn },
          connectionString: options.searchesIn,
          onCounts: matched.set,
          log: warn,
        });
  const verifySources = createVerifySources({
    registry,
    onchainSource,
    verifier,
    archive,
    maxWaitMs: settings.get('verify-wait') * 1000,
    log: warn,
  });
  const checkedChain = () => (settings.get('read-only') ? null : findCheckedChain(registry, own));
  const ownSources = createVerifiedSources({
    db: options.db,
    chain: () => checkedChain() ?? own,
    lookup: createContractLookup({ db: options.db, archive, onchainSource: () => onchain, system }),
    jobs: () => (checkedChain() ? jobs : null),
  });
  return {
    abis,
    sources: ownSources,
    routes: {
      ownChain: checkedChain,
      chain: own,
      registry,
      verifyExplorer,
      verifySources,
      sessions: createSessions(),
      checkSession: createCheckSession({ registry, onchainSource, verifySources }),
      findMetadata: createFindMetadata({ registry, onchainSource, archive }),
      sessionOrigins: listSessionOrigins(settings),
      jobs,
      signatures: createSignatureLookup(options.db),
      version: readProgramVersion(),
      lookup: createContractLookup({ db: options.db, archive, onchainSource, system }),
    },
    selfTest: createSelfTest(verifier),
    share: () => countVerifiedShare(options.db),
    async close() {
      const ended = search?.close();
      await verifier.close();
      await Promise.all([verifyExplorer.settled(), verifySources.settled(), jobs.settled(), ended]);
    },
  };
}

/** null where nothing of the ledger is checked: the chain of its id has its bytecode from elsewhere. */
function findCheckedChain(registry: ChainRegistry, { chainId }: Chain): Chain | null {
  const chain = registry.find(chainId)!;
  return chain.bytecode.kind === 'ledger' ? chain : null;
}

/** The chain that this mirror stores; a configured chain of the same id replaces it, with its own explorers and name. */
function ownChain({ simulatedExplorer, network }: VerificationOptions): Chain {
  const sourcify = [describeExplorer({ kind: 'sourcify', location: 'https://sourcify.dev/server' })];
  const explorers: Record<string, Explorer[]> = {
    mainnet: sourcify,
    testnet: sourcify,
    previewnet: sourcify,
    demo: simulatedExplorer === undefined ? [] : [explorerOfFolder(simulatedExplorer)],
  };
  return {
    get chainId() {
      return network.chainId.toString();
    },
    get name() {
      return network.name;
    },
    bytecode: { kind: 'ledger' },
    get explorers() {
      return explorers[network.name] ?? [];
    },
  };
}

function explorerOfFolder(location: string): Explorer {
  return describeExplorer({ kind: 'folder', location, name: "the simulated network's explorer" });
}
