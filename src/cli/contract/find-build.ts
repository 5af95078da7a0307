// The build that a path means: a file of one of the known forms, the folder of a tool's output, or a project, in which
// the output is looked for.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../../runtime/settings/usage-error.ts';
import type { Build, BuildContract } from './build-contract.ts';
import { readBuildInfo } from './read-build-info.ts';
import { readFoundryArtifact } from './read-foundry-artifact.ts';
import { readJsonFile, wrongFile } from './read-json-file.ts';

const expected = [
  'a build-info of Hardhat (artifacts/build-info/*.json)',
  "an artifact of Foundry's (out/<File>.sol/<Name>.json)",
  'a project with one of them, after "hardhat build" or "forge build";',
  "the compiler's standard JSON is given with --input",
].join(', ');

export function findBuild(path: string): Build {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw wrongFile(path, expected, 'there is no such file or folder');
  return found.isDirectory() ? readFolder(path) : readFile(path);
}

function readFile(file: string): Build {
  if (file.endsWith('.output.json')) return findBuild(file.replace(/\.output\.json$/, '.json'));
  const build = readBuildInfo(file, readJsonFile(file, expected));
  if (build) return build;
  const artifact = readFoundryArtifact(file, rootOf(dirname(file)));
  if (artifact) return { kind: 'Foundry', place: file, contracts: [artifact] };
  throw wrongFile(file, expected, 'it is JSON of another form');
}

/** Both tools can have built the same project: then what either has built counts. */
function readFolder(folder: string): Build {
  const places = [folder, ...['artifacts', 'out'].map((name) => join(folder, name))];
  const builds = places.flatMap((place) => (isOutput(place) ? [readOutput(place)] : []));
  const contracts = builds.flatMap((build) => build.contracts);
  if (contracts.length === 0) throw wrongFile(folder, expected, 'nothing that was built is in it');
  return { kind: [...new Set(builds.map(({ kind }) => kind))].join(' and '), place: folder, contracts };
}

function isOutput(folder: string): boolean {
  return existsSync(join(folder, 'build-info'));
}

function readOutput(folder: string): Build {
  const files = listFiles(join(folder, 'build-info')).filter((file) => !file.endsWith('.output.json'));
  const builds = files.flatMap((file) => readBuildInfo(file) ?? []);
  const contracts = withoutRepeats(builds.flatMap((build) => build.contracts));
  if (contracts.length > 0) return { kind: builds[0]!.kind, place: folder, contracts };
  // Foundry's usual build-info has no input: its artifacts have what is needed.
  const root = rootOf(folder);
  const artifacts = listFiles(folder).flatMap((file) =>
    basename(dirname(file)) === 'build-info' ? [] : (readFoundryArtifact(file, root) ?? []),
  );
  return { kind: 'Foundry', place: folder, contracts: artifacts };
}

/** A contract that was built several times counts as it was built last: its build-info is the newest file. */
function withoutRepeats(contracts: BuildContract[]): BuildContract[] {
  const newest = new Map<string, { contract: BuildContract; at: number }>();
  for (const contract of contracts) {
    const at = statSync(contract.file).mtimeMs;
    const key = `${contract.path}:${contract.name}`;
    if (at >= (newest.get(key)?.at ?? Number.NEGATIVE_INFINITY)) newest.set(key, { contract, at });
  }
  return [...newest.values()].map(({ contract }) => contract);
}

/** Where foundry.toml stands, else beside the folder of the output. */
function rootOf(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, 'foundry.toml'))) return at;
    if (dirname(at) === at) return dirname(resolve(folder));
  }
}

const maxFiles = 20_000;

function listFiles(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name));
  if (files.length <= maxFiles) return files.sort();
  throw new UsageError(`${folder} has ${files.length} files, and at most ${maxFiles} are read: name one of them.`);
}
