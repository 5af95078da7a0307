// Contract verification of one run, put together: chains, their explorers, compilers, and stored results.

import type { Registry } from 'prom-client';
import type { VerificationRoutesOptions } from '../../http/verification/verification-routes.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import type { Database } from '../../store/wire/database.ts';
import { waitForRoom } from '../../store/wire/wait-for-room.ts';
import { createContractLookup } from '../../verification/contract-lookup.ts';
import { createSelfTest } from '../../verification/create-self-test.ts';
import { createExplorers } from '../../verification/explorers/explorers.ts';
import type { Chain, Explorer } from '../../verification/registry/chain-registry.ts';
import { describeExplorer } from '../../verification/registry/describe-explorer.ts';
import { createVerificationJobs } from '../../verification/verification-jobs.ts';
import { createVerifyExplorer } from '../../verification/verify-explorer.ts';
import { createChecking } from '../contracts/create-checking.ts';
import type { Logger } from '../process/log.ts';
import type { Settings } from '../settings/load-settings.ts';
import { measureChecks } from '../status/signals/measure-checks.ts';

export type Verification = {
  routes: VerificationRoutesOptions;
  /** Throws if contracts cannot be verified. */
  selfTest(): Promise<void>;
  /** Ends running compilations; waits until every job has stored how it ended. */
  close(): Promise<void>;
};

export type VerificationOptions = {
  db: Database;
  settings: Settings;
  log: Logger;
  networkName: string;
  /** Folder of the explorer records of the network `demo`. */
  simulatedExplorer?: string;
  chainId: bigint;
  system: SystemRealm;
  /** Whether this process is busy with queries. */
  isBusy: () => boolean;
  registry: Registry;
};

export function createVerification(options: VerificationOptions): Verification {
  const { settings, log, system, isBusy, registry: metrics } = options;
  const checks = measureChecks(metrics);
  const maxRunning = settings.get('verify-concurrent') + settings.get('verify-queue');
  // Queries are refused if they would be late; a check is late anyway.
  const db = waitForRoom(options.db, { maxWaiting: maxRunning });
  const { registry, onchainSource, verifier, archive } = createChecking({
    db,
    settings,
    log,
    system,
    ownChain: ownChain(options),
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
  return {
    routes: {
      registry,
      verifyExplorer,
      jobs,
      lookup: createContractLookup({ db: options.db, archive, onchainSource }),
    },
    selfTest: createSelfTest(verifier),
    async close() {
      await verifier.close();
      await Promise.all([verifyExplorer.settled(), jobs.settled()]);
    },
  };
}

/** The chain that this mirror stores; a configured chain of the same id replaces it. */
function ownChain({ simulatedExplorer, networkName, chainId }: VerificationOptions): Chain {
  const sourcify = (): Explorer[] => [describeExplorer({ kind: 'sourcify', location: 'https://sourcify.dev/server' })];
  const explorers: Record<string, () => Explorer[]> = {
    mainnet: sourcify,
    testnet: sourcify,
    previewnet: sourcify,
    demo: () => (simulatedExplorer === undefined ? [] : [explorerOfFolder(simulatedExplorer)]),
  };
  return {
    chainId: chainId.toString(),
    name: networkName,
    bytecode: { kind: 'ledger' },
    explorers: explorers[networkName]?.() ?? [],
  };
}

function explorerOfFolder(location: string): Explorer {
  return describeExplorer({ kind: 'folder', location, name: "the simulated network's explorer" });
}
