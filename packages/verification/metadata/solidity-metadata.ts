// The compiler's metadata of one contract: which sources, by their hashes, with which compiler and settings. Handed in
// by callers, so every member is checked before it is used.
import { isJsonObject } from '../../kit/is-json-object.ts';
import { type CompilerSettings, type ContractTarget, languages, type SourceClaim } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';

export type SolidityMetadata = {
  compilerVersion: string;
  language: SourceClaim['language'];
  target: ContractTarget;
  /** As the compiler takes them: libraries by file, no target. */
  settings: CompilerSettings;
  sources: Readonly<Record<string, MetadataSource>>;
  /** Parameters of the constructor; undefined = it has none of its own. */
  constructorInputs: unknown;
  /** The document without white space, as the compiler hashes it. */
  text: string;
};

type MetadataSource = { keccak256: string; content: string | undefined; urls: string[] };

/** Sourcify's rule for which JSON documents are metadata. */
export function isMetadata(value: unknown): value is Record<string, unknown> {
  if (!isJsonObject(value) || !isJsonObject(value.settings) || !isJsonObject(value.output)) return false;
  const { abi, userdoc, devdoc } = value.output;
  const isKnown = value.language === 'Solidity' || value.language === 'Vyper';
  return (
    isKnown && [value.settings.compilationTarget, value.version, abi, userdoc, devdoc, value.sources].every(Boolean)
  );
}

/** Throws a VerificationError that names the missing member. */
export function readSolidityMetadata(value: unknown): SolidityMetadata {
  if (!isJsonObject(value)) throw invalid('Metadata is required.');
  const { compiler, language: named, settings, sources, output } = value;
  if (!isJsonObject(compiler)) throw mustContain('compiler');
  if (typeof compiler.version !== 'string' || compiler.version === '') throw mustContain('compiler.version');
  if (typeof named !== 'string') throw mustContain('language');
  if (!isJsonObject(settings)) throw mustContain('settings');
  if (!isJsonObject(settings.compilationTarget)) throw mustContain('settings.compilationTarget');
  if (!isJsonObject(sources)) throw mustContain('sources');
  const language = languages.find((known) => known === named);
  if (language === undefined) {
    throw new VerificationError('unsupported_language', `Metadata of contracts in ${named.slice(0, 50)} is not taken.`);
  }
  const { compilationTarget, libraries, ...rest } = settings;
  return {
    compilerVersion: compiler.version,
    language,
    target: readTarget(compilationTarget as Record<string, unknown>),
    settings: withoutInlinerBug(compiler.version, {
      ...(rest as CompilerSettings),
      ...(isJsonObject(libraries) && { libraries: readLibraries(libraries) }),
    }),
    sources: Object.fromEntries(Object.entries(sources).map(([path, source]) => [path, readSource(path, source)])),
    constructorInputs: findConstructorInputs(output),
    text: JSON.stringify(value),
  };
}

function readTarget(said: Record<string, unknown>): ContractTarget {
  const [[path, name] = [], ...others] = Object.entries(said);
  if (path !== undefined && typeof name === 'string' && name !== '' && others.length === 0) return { path, name };
  const names = Object.keys(said).slice(0, 20).join(', ');
  const message = `More than one compilationTarget in the metadata, or the compilationTarget is invalid. compilationTarget: ${names.slice(0, 500)}`;
  throw new VerificationError('invalid_compilation_target', message);
}

/** Metadata names a library `file:Name`, before 0.7.5 `Name`; the compiler takes them by file. */
function readLibraries(said: Record<string, unknown>): Record<string, Record<string, string>> {
  const byFile = new Map<string, Record<string, string>>();
  for (const [name, address] of Object.entries(said)) {
    if (typeof address !== 'string') throw invalid(`Metadata must give the address of library ${name.slice(0, 100)}.`);
    const cut = name.lastIndexOf(':');
    const file = cut < 0 ? '' : name.slice(0, cut);
    byFile.set(file, { ...byFile.get(file), [name.slice(cut + 1)]: address });
  }
  return Object.fromEntries(byFile);
}

function readSource(path: string, source: unknown): MetadataSource {
  if (!isJsonObject(source) || typeof source.keccak256 !== 'string') {
    throw invalid(`Metadata must contain the keccak256 of source ${path.slice(0, 200)}.`);
  }
  const { keccak256, content, urls } = source;
  return {
    keccak256: keccak256.toLowerCase(),
    content: typeof content === 'string' ? content : undefined,
    urls: Array.isArray(urls) ? urls.filter((url) => typeof url === 'string') : [],
  };
}

/** Compilers 0.8.2 to 0.8.4 write a setting into the metadata that they do not take themselves. */
function withoutInlinerBug(version: string, settings: CompilerSettings): CompilerSettings {
  const details = settings.optimizer?.details;
  if (!/^v?0\.8\.[234](?!\d)/.test(version) || !isJsonObject(details)) return settings;
  const { inliner: _, ...others } = details;
  return { ...settings, optimizer: { ...settings.optimizer, details: others } };
}

function findConstructorInputs(output: unknown): unknown {
  const abi = isJsonObject(output) && Array.isArray(output.abi) ? output.abi : [];
  return abi.find((item) => isJsonObject(item) && item.type === 'constructor')?.inputs;
}

function mustContain(member: string): VerificationError {
  return invalid(`Metadata must contain a ${member} field.`);
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
