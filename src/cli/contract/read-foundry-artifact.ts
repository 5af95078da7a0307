// A contract as Foundry leaves it in `out/<File>.sol/<Name>.json`. Its metadata names compiler, settings and sources
// with their hashes; the texts are those of the project, as long as they were not changed.
import { join } from 'node:path';
import { isJsonObject } from '../../../packages/kit/is-json-object.ts';
import { keccak256 } from '../../../packages/protocol/keccak256.ts';
import type { BuildContract, StandardInput } from './build-contract.ts';
import { maxInputBytes, readJsonFile, readTextFile, wrongFile } from './read-json-file.ts';

const expected = 'an artifact of Foundry, with "metadata" (extra_output of foundry.toml must not leave it out)';

/** `root`: the folder that paths of sources start from. null if it is another file. */
export function readFoundryArtifact(file: string, root: string): BuildContract | null {
  const artifact = readJsonFile(file, expected);
  const { metadata } = artifact;
  if (!isJsonObject(metadata) || !isJsonObject(metadata.settings) || !isJsonObject(metadata.sources)) return null;
  const target = Object.entries(
    isJsonObject(metadata.settings.compilationTarget) ? metadata.settings.compilationTarget : {},
  );
  const version = isJsonObject(metadata.compiler) ? metadata.compiler.version : undefined;
  const [path, name] = target[0] ?? [];
  if (path === undefined || typeof name !== 'string' || typeof version !== 'string') return null;
  const { settings, sources, language = 'Solidity' } = metadata;
  const { object } = (isJsonObject(artifact.bytecode) ? artifact.bytecode : {}) as { object?: unknown };
  return {
    path,
    name,
    knownAs: path,
    compilerVersion: version,
    hasCode: typeof object === 'string' && !/^(0x)?$/.test(object),
    file,
    readInput: (): StandardInput => ({
      language: String(language),
      sources: Object.fromEntries(
        Object.entries(sources).map(([name, source]) => [name, { content: readSource(name, source, file, root) }]),
      ),
      settings: toInputSettings(settings),
    }),
  };
}

function readSource(path: string, source: unknown, artifact: string, root: string): string {
  const { content, keccak256: hash } = (isJsonObject(source) ? source : {}) as {
    content?: unknown;
    keccak256?: unknown;
  };
  if (typeof content === 'string') return content;
  const file = join(root, path);
  const text = readTextFile(file, `the source ${path} of ${artifact}`, maxInputBytes);
  if (`0x${keccak256(Buffer.from(text)).toString('hex')}` === hash) return text;
  throw wrongFile(file, `the text that ${artifact} was made from`, 'it has been changed since, build again');
}

/** Metadata has one target and libraries by full name, where the input has libraries by file. */
function toInputSettings({ compilationTarget: _, libraries, ...settings }: Record<string, unknown>) {
  const linked = Object.entries(isJsonObject(libraries) ? libraries : {});
  return linked.length === 0 ? settings : { ...settings, libraries: toNestedLibraries(linked) };
}

/** `path:Name` → `path` → `Name`; compilers before 0.7.5 write the name only, which goes for every file. */
export function toNestedLibraries(
  linked: [fullName: string, address: unknown][],
): Record<string, Record<string, string>> {
  const nested: Record<string, Record<string, string>> = {};
  for (const [fullName, address] of linked) {
    const cut = fullName.lastIndexOf(':');
    const file = fullName.slice(0, Math.max(cut, 0));
    nested[file] = { ...nested[file], [fullName.slice(cut + 1)]: String(address) };
  }
  return nested;
}
