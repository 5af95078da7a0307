// The form on a contract's page, read into a check: metadata and sources, a build of a tool, the compiler's input with
// its version and the contract's name, or a flattened file with the settings that are typed.

import { isJsonObject } from '../../../../packages/kit/is-json-object.ts';
import { parseLibraries } from '../../../../packages/verification/explorers/etherscan-record.ts';
import { type BodyMembers, optionalText } from '../../../../packages/verification/http/read-body.ts';
import { readStandardInput } from '../../../../packages/verification/http/read-sources-request.ts';
import type { Upload } from '../../../../packages/verification/http/v1/read-upload.ts';
import type { SolidityMetadata } from '../../../../packages/verification/metadata/solidity-metadata.ts';
import { type InputFile, sortFiles } from '../../../../packages/verification/metadata/sort-files.ts';
import { parseModestJson } from '../../../../packages/verification/terms/modest-json.ts';
import type { CompilerSettings, SourceClaim } from '../../../../packages/verification/terms/source-claim.ts';
import { VerificationError } from '../../../../packages/verification/terms/verification-error.ts';

export type UploadedCheck =
  | { kind: 'similar' }
  | { kind: 'metadata'; metadata: SolidityMetadata; files: InputFile[] }
  | { kind: 'claim'; claim: SourceClaim };

/** Throws a VerificationError that says what is missing. */
export function readForm({ members, files }: Upload): UploadedCheck {
  if (optionalText(members, 'way') === 'similar') return { kind: 'similar' };
  // A field without a chosen file is sent as an empty one.
  const given = (files ?? []).filter(({ content }) => content !== '');
  if (given.length === 0) throw invalid('files: no file was chosen.');
  const name = (optionalText(members, 'contractName') ?? '').trim();
  const { metadata, sources } = sortFiles(given);
  if (metadata.length > 0) return { kind: 'metadata', metadata: chooseMetadata(metadata, name), files: sources };
  const input = sources.map(findInput).find((found) => found !== null);
  const version = (optionalText(members, 'compilerVersion') ?? '').trim();
  if (input) return { kind: 'claim', claim: toClaim(input, name, version) };
  if (sources.some(({ path }) => /[.]json$/i.test(path)) || version === '') {
    throw invalid(
      'files: none of them is a metadata.json, a build-info or standard JSON input. Sources alone do not say how they were compiled: type the version of the compiler, and the settings.',
    );
  }
  return { kind: 'claim', claim: toTypedClaim(sources, name, version, members) };
}

/** Sources as they are, such as a flattened file. */
function toTypedClaim(files: readonly InputFile[], name: string, version: string, members: BodyMembers): SourceClaim {
  const cut = name.lastIndexOf(':');
  if (name.slice(cut + 1) === '')
    throw invalid('contractName: the sources may have several contracts; name the one that is meant.');
  const [first] = files;
  // A path that is typed is that of the one file: names of files are not what they were compiled as.
  const path = cut >= 0 ? name.slice(0, cut) : files.length === 1 ? first!.path : '';
  const sources = Object.fromEntries(
    files.map((file) => [files.length === 1 ? path : file.path, { content: file.content }] as const),
  );
  const extension = /[.](vy|yul)$/i.exec(first!.path)?.[1]?.toLowerCase();
  const language = extension === 'vy' ? 'Vyper' : extension === 'yul' ? 'Yul' : 'Solidity';
  return {
    language: language as SourceClaim['language'],
    compilerVersion: version,
    input: { language, sources, settings: readSettings(members) },
    target: { path, name: name.slice(cut + 1) },
    libraries: parseLibraries({ Library: optionalText(members, 'libraries') ?? '' }),
  };
}

function readSettings(members: BodyMembers): CompilerSettings {
  const typed = (member: string): string => (optionalText(members, member) ?? '').trim();
  const runs = typed('runs') || '200';
  if (!/^\d{1,10}$/.test(runs)) throw invalid('runs: must be a whole number, such as 200.');
  const evmVersion = typed('evmVersion').toLowerCase();
  if (!/^[a-z]{0,40}$/.test(evmVersion)) throw invalid('evmVersion: must be the name of a version, such as cancun.');
  return {
    optimizer: { enabled: typed('optimizer') !== '', runs: Number(runs) },
    ...(evmVersion !== '' && { evmVersion }),
    ...(typed('viaIR') !== '' && { viaIR: true }),
  };
}

/** `name`: `Name` or `path:Name`. */
function chooseMetadata(metadata: readonly SolidityMetadata[], name: string): SolidityMetadata {
  const meant = metadata.filter(({ target }) => name === target.name || name === `${target.path}:${target.name}`);
  if (meant.length === 1) return meant[0]!;
  if (name === '' && metadata.length === 1) return metadata[0]!;
  const known = metadata.slice(0, 20).map(({ target }) => `${target.path}:${target.name}`.slice(0, 100));
  const more = metadata.length > known.length ? ` and ${metadata.length - known.length} more` : '';
  const problem = name === '' ? 'the files have several contracts' : `${meant.length} contracts have this name`;
  throw invalid(`contractName: ${problem}. Known are: ${known.join(', ')}${more}.`);
}

type FoundInput = { input: BodyMembers; compilerVersion: string | null };

/** Standard JSON input, or a build-info that holds it. */
function findInput({ content }: InputFile): FoundInput | null {
  if (!/^\s*\{/.test(content)) return null;
  let document: unknown;
  try {
    document = parseModestJson(content, { maxValues: 1_000_000, maxDepth: 128 });
  } catch (error) {
    // Sources in Yul begin with a brace, too.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (!isJsonObject(document)) return null;
  if (isJsonObject(document.input) && isJsonObject(document.input.sources)) {
    const { input, solcLongVersion } = document;
    return {
      input: input as BodyMembers,
      compilerVersion: typeof solcLongVersion === 'string' ? solcLongVersion : null,
    };
  }
  return isJsonObject(document.sources) && typeof document.language === 'string'
    ? { input: document, compilerVersion: null }
    : null;
}

function toClaim({ input, compilerVersion: said }: FoundInput, name: string, typed: string): SourceClaim {
  const compilerVersion = typed === '' ? said : typed;
  if (!compilerVersion) throw invalid('compilerVersion: the files do not say it, such as 0.8.24+commit.e11b9ed9.');
  if (name === '')
    throw invalid('contractName: the compiler makes several contracts of one input; name the one that is meant.');
  const { language, ...rest } = readStandardInput(input, '/files');
  const cut = name.lastIndexOf(':');
  // Without a path the compiler's output says where the contract is.
  const target = { path: cut < 0 ? '' : name.slice(0, cut), name: name.slice(cut + 1) };
  return { language, compilerVersion, input: { language, ...rest }, target };
}

function invalid(message: string): VerificationError {
  return new VerificationError('invalid_parameter', message);
}
