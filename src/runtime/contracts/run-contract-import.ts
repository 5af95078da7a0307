// The import of contract matches as a command: settings, database, chains and compilers put together.

import type { Logger } from '../../../packages/kit/process/log.ts';
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import { openMatchExport } from '../../../packages/verification/exports/open-match-export.ts';
import { type ImportMatchesProgress, importMatches } from '../../../packages/verification/imports/import-matches.ts';
import type { ImportSummary } from '../../../packages/verification/imports/import-summary.ts';
import type { ChainRegistry } from '../../../packages/verification/registry/chain-registry.ts';
import { openStoreBeside } from '../database/open-store.ts';
import { settleNetwork } from '../database/settle-network.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Checking, createChecking } from './create-checking.ts';

export type ContractImportOptions = {
  settings: Settings;
  log: Logger;
  signal: AbortSignal;
  /** Folder or file. */
  from: string;
  /** Decimal ids; none = the mirrored chain. */
  chains: readonly string[];
  isDryRun: boolean;
  isAgain: boolean;
  limit: number | null;
  onProgress: (progress: ImportMatchesProgress) => void;
  /** What is being read. */
  onStep: (step: string) => void;
};

export type ContractImportProgress = ImportMatchesProgress;

/** `problems`: damage in the export, as sentences; further ones are only counted. */
export type ContractImport = {
  description: string;
  chains: readonly string[];
  summary: ImportSummary;
  problems: { count: number; first: string[] };
};

/** Throws UsageError. */
export async function runContractImport(options: ContractImportOptions): Promise<ContractImport> {
  const { settings, log, signal } = options;
  const problems: ContractImport['problems'] = { count: 0, first: [] };
  const matches = openExport(options, problems);
  const store = await openStoreBeside({ settings, log, signal });
  const concurrent = settings.get('verify-concurrent');
  const db = openDatabase({ connectionString: store.connectionString, maxConnections: concurrent + 1 });
  let checking: Checking | null = null;
  const end = (): void => void checking?.verifier.close();
  try {
    const { connectionString } = store;
    const { name, chainId, system } = await settleNetwork({ connectionString, settings, log, imports: false });
    const ownChain = { chainId: chainId.toString(), name, bytecode: { kind: 'ledger' }, explorers: [] } as const;
    const queue = { queue: concurrent };
    checking = createChecking({ db, settings, log, system: system ?? usualRealm, ownChain, queue });
    const chosen = options.chains.length > 0 ? options.chains : [ownChain.chainId];
    const chains = chosenChains(chosen, checking);
    signal.addEventListener('abort', end);
    const summary = await importMatches({ ...options, ...checking, db, chains, matches, concurrent });
    return { description: matches.description, chains: chosen, summary, problems };
  } finally {
    signal.removeEventListener('abort', end);
    await checking?.verifier.close();
    await matches.close();
    await db.close();
    await store.close();
  }
}

/** Sourcify's largest parts take some seconds; on a full machine many times that. */
const maxStepMs = 300_000;
/** Further ones are only counted. */
const maxProblems = 1000;

function openExport({ from, settings, onStep }: ContractImportOptions, problems: ContractImport['problems']) {
  const reading = {
    limits: { inputBytes: settings.get('verify-input'), stepMs: maxStepMs },
    onStep,
    onProblem(sentence: string) {
      problems.count += 1;
      if (problems.first.length < maxProblems) problems.first.push(sentence);
    },
  };
  try {
    return openMatchExport(from, reading);
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function chosenChains(chosen: readonly string[], { registry, onchainSource }: Checking) {
  return new Map(
    chosen.map((chainId) => {
      const chain = registry.find(chainId);
      if (chain === undefined) throw new UsageError(`Chain ${chainId} is not configured; ${describeChains(registry)}.`);
      return [chainId, { source: onchainSource(chain), isRemote: chain.bytecode.kind !== 'ledger' }] as const;
    }),
  );
}

function describeChains(registry: ChainRegistry): string {
  const known = registry.list().map(({ chainId, name }) => `${chainId} (${name})`);
  return `--verify-chains names further ones than ${new Intl.ListFormat('en').format(known)}`;
}
