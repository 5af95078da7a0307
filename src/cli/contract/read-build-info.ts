// Build-info files, which hold the compiler's whole input: of Hardhat 2 and of Foundry (`forge build --build-info`)
// with the output in the same file, of Hardhat 3 with it in another file.
import { existsSync } from 'node:fs';
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import type { Build, BuildContract } from './build-contract.ts';
import { readJsonFile, wrongFile } from './read-json-file.ts';
import { toStandardInput } from './standard-input.ts';

const expected = 'a build-info of Hardhat or Foundry, with "input" and "solcLongVersion"';

/** null if it is another file: standard JSON, or a build-info of Foundry's that has no input. */
export function readBuildInfo(file: string, content = readJsonFile(file, expected)): Build | null {
  if (!isJsonObject(content.input) || !isBuildInfoFormat(content._format)) return null;
  const version = content.solcLongVersion ?? content.solcVersion;
  if (typeof version !== 'string') throw wrongFile(file, expected, 'it names no compiler ("solcLongVersion")');
  const input = toStandardInput(content.input, file, '"input"');
  const kind = kindOf(String(content._format));
  const known = invert(content.userSourceNameMap);
  const output = kind === 'Hardhat 3' ? readOutput(file) : content.output;
  return {
    kind,
    place: file,
    contracts: listOutput(output).map(({ path, name, hasCode, compiler }) => ({
      path,
      name,
      knownAs: known.get(path) ?? path,
      compilerVersion: compiler ?? version,
      hasCode,
      file,
      readInput: () => input,
    })),
  };
}

/**
 * One contract of a build-info whose output may be missing; null if its source is not in it. `fullName`: `path:Name`.
 */
export function contractOfBuildInfo(file: string, fullName: string): BuildContract | null {
  const content = readJsonFile(file, expected);
  const version = content.solcLongVersion ?? content.solcVersion;
  if (typeof version !== 'string') throw wrongFile(file, expected, 'it names no compiler ("solcLongVersion")');
  const input = toStandardInput(content.input, file, '"input"');
  const cut = fullName.lastIndexOf(':');
  const path = fullName.slice(0, cut);
  const name = fullName.slice(cut + 1);
  if (cut < 0 || !Object.hasOwn(input.sources, path)) return null;
  return { path, name, knownAs: path, compilerVersion: version, hasCode: true, file, readInput: () => input };
}

function isBuildInfoFormat(format: unknown): boolean {
  return typeof format === 'string' && /^(hh3?|ethers-rs)-sol-build-info-\d+$/.test(format);
}

function kindOf(format: string): string {
  if (format.startsWith('hh3-')) return 'Hardhat 3';
  return format.startsWith('hh-') ? 'Hardhat 2' : 'Foundry';
}

/** Source names of the compiler → those that people use. */
function invert(names: unknown): Map<string, string> {
  if (!isJsonObject(names)) return new Map();
  return new Map(Object.entries(names).flatMap(([known, path]) => (typeof path === 'string' ? [[path, known]] : [])));
}

function readOutput(file: string): unknown {
  const beside = file.replace(/\.json$/, '.output.json');
  if (existsSync(beside)) return readJsonFile(beside, "the output of Hardhat's build-info").output;
  throw wrongFile(
    beside,
    "the output of Hardhat's build-info, with the names of its contracts",
    'there is no such file',
  );
}

type Listed = Pick<BuildContract, 'path' | 'name' | 'hasCode'> & { compiler: string | null };

function listOutput(output: unknown): Listed[] {
  const contracts = isJsonObject(output) && isJsonObject(output.contracts) ? output.contracts : {};
  return Object.entries(contracts).flatMap(([path, named]) =>
    Object.entries(isJsonObject(named) ? named : {}).map(([name, contract]) => ({
      path,
      name,
      hasCode: hasCode(contract),
      compiler: compilerOf(contract),
    })),
  );
}

function hasCode(contract: unknown): boolean {
  const evm = isJsonObject(contract) && isJsonObject(contract.evm) ? contract.evm : {};
  const { object } = (isJsonObject(evm.bytecode) ? evm.bytecode : {}) as { object?: unknown };
  return typeof object === 'string' && !/^(0x)?$/.test(object);
}

/** Foundry's `solcLongVersion` lacks the commit; the metadata of a contract has it. */
function compilerOf(contract: unknown): string | null {
  const metadata = isJsonObject(contract) ? contract.metadata : undefined;
  const version = typeof metadata === 'string' ? /"compiler":\{"version":"([^"]{1,80})"\}/.exec(metadata)?.[1] : null;
  return version ?? null;
}
