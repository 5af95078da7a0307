// What was deployed where, as the tools that deploy keep it: Hardhat Ignition and `forge script --broadcast`.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import { UsageError } from '../../runtime/settings/usage-error.ts';
import type { BuildContract } from './build-contract.ts';
import { contractOfBuildInfo } from './read-build-info.ts';
import { toNestedLibraries } from './read-foundry-artifact.ts';
import { readJsonFile, wrongFile } from './read-json-file.ts';

export type Deployment = {
  address: string;
  /** `path:Name` or `Name`, as the tool calls the contract. */
  contract: string;
  /** What was deployed, if the tool has kept it: the build may have changed since. */
  kept: BuildContract | null;
  /** Linked at deployment, as `settings.libraries` has them. */
  libraries: Record<string, Record<string, string>>;
  file: string;
};

export type DeploymentsQuery = { project: string; files: readonly string[]; chainId: string };

const expected = "Ignition's deployed_addresses.json or Foundry's broadcast/<script>/<chain>/run-latest.json";
const maxFileBytes = 50_000_000;

/**
 * Of the named files, or of those that the project has for this chain. An address counts once, as it was deployed last.
 */
export function findDeployments({ project, files, chainId }: DeploymentsQuery): Deployment[] {
  const places = files.length > 0 ? files : searchProject(project, chainId);
  if (places.length === 0) {
    const message = `no deployments to chain ${chainId} are in it (ignition/deployments/chain-${chainId}, broadcast/*/${chainId})`;
    throw wrongFile(project, `${expected}, or --deployments <file>`, message);
  }
  const found = places.flatMap((file) => readDeployments(file, chainId));
  if (found.length === 0) throw new UsageError(`${places.join(', ')}: no contract was deployed there.`);
  return [...new Map(found.map((deployment) => [deployment.address.toLowerCase(), deployment])).values()];
}

function searchProject(project: string, chainId: string): string[] {
  const ignition = join(project, 'ignition/deployments', `chain-${chainId}`, 'deployed_addresses.json');
  const broadcast = join(project, 'broadcast');
  const scripts = existsSync(broadcast) ? readdirSync(broadcast) : [];
  const runs = scripts.map((script) => join(broadcast, script, chainId, 'run-latest.json')).filter(existsSync);
  return [
    ...(existsSync(ignition) ? [ignition] : []),
    ...runs.sort((a, b) => statSync(a).mtimeMs - statSync(b).mtimeMs),
  ];
}

function readDeployments(file: string, chainId: string): Deployment[] {
  const content = readJsonFile(file, expected, maxFileBytes);
  return Array.isArray(content.transactions) ? readBroadcast(file, content, chainId) : readIgnition(file, content);
}

/** `Module#Name` → address. */
function readIgnition(file: string, content: Record<string, unknown>): Deployment[] {
  return Object.entries(content).map(([future, address]) => {
    if (!isAddress(address)) throw wrongFile(file, expected, `${JSON.stringify(future.slice(0, 100))} has no address`);
    const artifact = readKeptArtifact(file, future);
    const contract = artifact?.fullName ?? future.slice(future.lastIndexOf('#') + 1);
    const kept = artifact?.buildInfo ? contractOfBuildInfo(artifact.buildInfo, contract) : null;
    return { address, contract, kept, libraries: {}, file };
  });
}

/**
 * Ignition keeps the artifact and the build of each contract beside the addresses; Hardhat 2 names the build in another
 * file.
 */
function readKeptArtifact(file: string, future: string): { fullName: string; buildInfo: string | null } | null {
  const place = join(dirname(file), 'artifacts', `${future}.json`);
  // The name of a future is one file name.
  if (basename(place) !== `${future}.json` || !existsSync(place)) return null;
  const artifact = readJsonFile(place, 'an artifact of Hardhat');
  const { contractName, sourceName, inputSourceName = sourceName, buildInfoId } = artifact;
  if (typeof contractName !== 'string' || typeof inputSourceName !== 'string') return null;
  const debug = place.replace(/\.json$/, '.dbg.json');
  const named = existsSync(debug)
    ? readJsonFile(debug, 'the .dbg.json of an artifact of Hardhat').buildInfo
    : undefined;
  const id = typeof buildInfoId === 'string' ? `${buildInfoId}.json` : typeof named === 'string' ? named : null;
  const buildInfo = id && join(dirname(file), 'build-info', basename(id));
  return {
    fullName: `${inputSourceName}:${contractName}`,
    buildInfo: buildInfo && existsSync(buildInfo) ? buildInfo : null,
  };
}

function readBroadcast(file: string, content: Record<string, unknown>, chainId: string): Deployment[] {
  if (content.chain !== undefined && String(content.chain) !== chainId) {
    throw wrongFile(
      file,
      `a broadcast to chain ${chainId}`,
      `it is one to chain ${String(content.chain).slice(0, 40)}`,
    );
  }
  const linked = (Array.isArray(content.libraries) ? content.libraries : []).filter((text) => typeof text === 'string');
  const libraries = toNestedLibraries(
    linked.map((text: string) => [text.slice(0, text.lastIndexOf(':')), text.slice(text.lastIndexOf(':') + 1)]),
  );
  return (content.transactions as unknown[]).flatMap((transaction) => {
    const { transactionType, contractName, contractAddress } = isJsonObject(transaction) ? transaction : {};
    const isCreation = transactionType === 'CREATE' || transactionType === 'CREATE2';
    if (!isCreation || !isAddress(contractAddress) || typeof contractName !== 'string' || contractName === '')
      return [];
    return [{ address: contractAddress, contract: contractName, kept: null, libraries, file }];
  });
}

function isAddress(text: unknown): text is string {
  return typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text);
}
