// A claim from the compiler's own description of a compilation, `metadata.json`, and files that may be its sources.
// Sources are found by the hash that the metadata names, so no name in it is ever a path.
import { isJsonObject } from '../../../kit/is-json-object.ts';
import { type CompilerSettings, languages, type SourceClaim } from '../../terms/source-claim.ts';

/**
 * `contents`: text of each file by its Keccak-256 in hex. Throws an Error that says what is wrong with the metadata.
 */
export function claimFromMetadata(metadata: unknown, contents: ReadonlyMap<string, string>): SourceClaim {
  const { compiler, language: named, settings, sources } = isJsonObject(metadata) ? metadata : {};
  const version = isJsonObject(compiler) ? compiler.version : undefined;
  const language = languages.find((one) => one === named);
  if (typeof version !== 'string' || !isJsonObject(settings) || !isJsonObject(sources)) {
    throw new Error('compiler.version, settings or sources is missing');
  }
  if (language === undefined) throw new Error(`its language is ${shorten(named)}`);
  const { compilationTarget, libraries, ...rest } = settings;
  const targets = isJsonObject(compilationTarget) ? Object.entries(compilationTarget) : [];
  const [path, name] = targets[0] ?? [];
  if (targets.length !== 1 || path === undefined || typeof name !== 'string') {
    throw new Error('settings.compilationTarget must name one contract');
  }
  const linked = toInputLibraries(libraries);
  const input = {
    language,
    sources: Object.fromEntries(
      Object.keys(sources).map((of) => [of, { content: contentOf(of, sources[of], contents) }]),
    ),
    settings: withoutInliner(version, { ...rest, ...(linked && { libraries: linked }) } as CompilerSettings),
  };
  return { language, compilerVersion: version, input, target: { path, name } };
}

function contentOf(path: string, source: unknown, contents: ReadonlyMap<string, string>): string {
  const { keccak256, content } = isJsonObject(source) ? source : {};
  if (typeof keccak256 !== 'string' || !/^0x[0-9a-f]{64}$/i.test(keccak256)) {
    throw new Error(`source ${shorten(path)} has no keccak256`);
  }
  const found = contents.get(keccak256.toLowerCase()) ?? content;
  if (typeof found === 'string') return found;
  throw new Error(`no file has the hash of source ${shorten(path)}, ${keccak256}`);
}

/**
 * In metadata libraries are named `<path>:<name>`, or `<name>` alone before 0.7.5; in the compiler's input by path and
 * name.
 */
function toInputLibraries(libraries: unknown): Record<string, Record<string, string>> | null {
  if (!isJsonObject(libraries) || Object.keys(libraries).length === 0) return null;
  const byPath = new Map<string, [string, string][]>();
  for (const [key, address] of Object.entries(libraries)) {
    if (typeof address !== 'string') throw new Error(`library ${shorten(key)} has no address`);
    const end = Math.max(0, key.lastIndexOf(':'));
    const path = key.slice(0, end);
    byPath.set(path, [...(byPath.get(path) ?? []), [key.slice(end === 0 ? 0 : end + 1), address]]);
  }
  return Object.fromEntries([...byPath].map(([path, named]) => [path, Object.fromEntries(named)]));
}

/** These releases write a setting of the optimizer into the metadata that they refuse as input. */
function withoutInliner(version: string, settings: CompilerSettings): CompilerSettings {
  const { optimizer } = settings;
  if (!/^v?0\.8\.[234]\b/.test(version) || !isJsonObject(optimizer?.details)) return settings;
  const { inliner: _, ...details } = optimizer.details;
  return { ...settings, optimizer: { ...optimizer, details } };
}

function shorten(value: unknown): string {
  return (JSON.stringify(value) ?? 'missing').slice(0, 200);
}
