// From the arguments of `contract verify` to its results: what to verify is settled before the mirror is asked for
// anything that costs, and contracts are verified one after another.
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import { UsageError } from '../../runtime/settings/usage-error.ts';
import type { Build, BuildContract } from './build-contract.ts';
import { chooseContract } from './choose-contract.ts';
import { findBuild } from './find-build.ts';
import { type Deployment, findDeployments } from './find-deployments.ts';
import { createMirrorClient, type MirrorClient } from './mirror-client.ts';
import { maxInputBytes, readJsonFile } from './read-json-file.ts';
import { toStandardInput } from './standard-input.ts';
import { type ContractVerification, type Submission, verifyContract } from './verify-contract.ts';

export type VerificationsOptions = {
  /** After `contract verify`. */
  words: string[];
  flags: Record<string, string[]>;
  signal: AbortSignal;
  onProgress(text: string): void;
  onResult(result: ContractVerification): void;
};

const defaultMirror = 'http://127.0.0.1:5551';
const usage =
  'Usage: ledger-mirror contract verify <address> [<project or file>], or contract verify --all [<project>]';

export async function runVerifications(options: VerificationsOptions): Promise<ContractVerification[]> {
  const { words, flags, signal, onProgress, onResult } = options;
  const flag = (name: string): string | undefined => flags[name]?.at(-1);
  const isForAll = flag('all') !== undefined;
  if (words.length > (isForAll ? 1 : 2) || (!isForAll && words.length === 0)) throw new UsageError(usage);
  const mirror = createMirrorClient(flag('mirror') ?? defaultMirror, signal);
  // A wrong file is reported before a mirror that is away.
  const one = isForAll ? null : readOne(words, flags);
  const chainId = readChainId(flag('chain')) ?? (await findOwnChain(mirror));
  const submissions = one ? [{ ...one, chainId }] : listAll(words[0] ?? '.', { flags, chainId });
  const results: ContractVerification[] = [];
  for (const submission of submissions) {
    const result =
      isJsonObject(submission) && 'problem' in submission
        ? toFailure(submission)
        : await verifyContract(submission, { mirror, signal, onProgress });
    onResult(result);
    results.push(result);
  }
  return results;
}

type Problem = { problem: string; address: string; name: string };

function readOne(words: string[], flags: Record<string, string[]>): Omit<Submission, 'chainId'> {
  const [address = '', place] = words;
  if (!/^0x[0-9a-fA-F]{40}$|^\d{1,10}\.\d{1,10}\.\d{1,12}$/.test(address)) {
    throw new UsageError(`${address.slice(0, 100)} is no address of a contract: 0x and 40 hex digits, or 0.0.N.`);
  }
  if (flags.deployments?.length) throw new UsageError('--deployments has a meaning only with --all.');
  const input = flags.input?.at(-1);
  if (input !== undefined && place !== undefined) throw new UsageError(`Either --input or ${place}, not both.`);
  const contract = input === undefined ? readFromBuild(place ?? '.', flags) : readFromInput(input, flags);
  const hash = flags['creation-transaction']?.at(-1);
  if (hash !== undefined && !/^0x[0-9a-fA-F]{64}$/.test(hash)) {
    throw new UsageError('--creation-transaction must be 0x and 64 hex digits.');
  }
  return { address, contract, libraries: {}, creationTransactionHash: hash };
}

function readFromBuild(place: string, flags: Record<string, string[]>): BuildContract {
  const contract = chooseContract(findBuild(place), flags.contract?.at(-1));
  const compiler = flags.compiler?.at(-1);
  return compiler === undefined ? contract : { ...contract, compilerVersion: compiler };
}

function readFromInput(file: string, flags: Record<string, string[]>): BuildContract {
  const input = toStandardInput(readJsonFile(file, "the compiler's standard JSON input", maxInputBytes), file);
  const compilerVersion = flags.compiler?.at(-1);
  const contract = flags.contract?.at(-1);
  if (compilerVersion === undefined) throw new UsageError('--input needs --compiler <version>.');
  if (contract === undefined) throw new UsageError('--input needs --contract <path:Name>.');
  const paths = Object.keys(input.sources);
  const cut = contract.lastIndexOf(':');
  const path = cut < 0 && paths.length === 1 ? paths[0]! : contract.slice(0, Math.max(cut, 0));
  if (!Object.hasOwn(input.sources, path)) {
    const known = paths.slice(0, 20).join(', ');
    throw new UsageError(`--contract must be <path:Name> with a path of ${file}: ${known}.`);
  }
  const name = contract.slice(cut + 1);
  return { path, name, knownAs: path, compilerVersion, hasCode: true, file, readInput: () => input };
}

function listAll(
  project: string,
  { flags, chainId }: { flags: Record<string, string[]>; chainId: string },
): (Submission | Problem)[] {
  for (const name of ['input', 'compiler', 'contract', 'creation-transaction']) {
    if (flags[name]?.length) throw new UsageError(`--${name} has no meaning with --all.`);
  }
  const deployments = findDeployments({ project, files: flags.deployments ?? [], chainId });
  let build: Build | null = null;
  return deployments.map((deployment) => {
    if (deployment.kept === null) build ??= findBuild(project);
    return toSubmission(deployment, build, chainId);
  });
}

/** A contract that is not in the build leaves the others as they are. */
function toSubmission(
  { address, contract: name, kept, libraries }: Deployment,
  build: Build | null,
  chainId: string,
): Submission | Problem {
  try {
    return { chainId, address, contract: kept ?? chooseContract(build!, name), libraries };
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message, address, name };
    throw error;
  }
}

function toFailure({ problem, address, name }: Problem): ContractVerification {
  const none = { match: null, creationMatch: null, runtimeMatch: null, verificationId: null, page: null };
  return { address, contract: name, isVerified: false, status: 'not in the build', message: problem, ...none };
}

function readChainId(text: string | undefined): string | undefined {
  if (text === undefined || /^[1-9]\d{0,18}$/.test(text)) return text;
  throw new UsageError(`--chain must be a decimal chain id, not ${text.slice(0, 100)}`);
}

async function findOwnChain(mirror: MirrorClient): Promise<string> {
  const { status, body } = await mirror.get('/chains');
  const chains = Array.isArray(body) ? body.filter(isJsonObject) : [];
  const own = chains.filter(({ bytecode }) => bytecode === 'ledger');
  if (own.length === 1 && Number.isSafeInteger(own[0]!.chainId)) return String(own[0]!.chainId);
  const why = own.length > 1 ? `has ${own.length} chains of its own` : `names no chain of its own (HTTP ${status})`;
  throw new UsageError(`${mirror.url} ${why}: say which one with --chain <id>.`);
}
