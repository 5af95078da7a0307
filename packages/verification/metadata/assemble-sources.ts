// Metadata and handed-in files as a claim: each source of the metadata is the file with its hash, whatever that is
// called. Nothing is fetched.
import type { CompilerInput, SourceClaim } from '../terms/source-claim.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { SolidityMetadata } from './solidity-metadata.ts';
import type { InputFile } from './sort-files.ts';
import { hashSource, type SourcePool } from './source-pool.ts';

export type AssembledSources = {
  /** Content by the metadata's path. */
  found: Record<string, string>;
  missing: Record<string, { keccak256: string; urls: string[] }>;
  invalid: Record<string, { expectedHash: string; calculatedHash: string; msg: string }>;
  /** Handed-in paths that are sources of it. */
  usedFiles: string[];
};

/** `pathsCount`: a file at the path of a missing source is an invalid one; Sourcify's first API calls it missing. */
export async function assembleSources(
  metadata: SolidityMetadata,
  pool: SourcePool,
  { pathsCount = false } = {},
): Promise<AssembledSources> {
  const assembled: AssembledSources = { found: {}, missing: {}, invalid: {}, usedFiles: [] };
  for (const [path, { keccak256, content, urls }] of Object.entries(metadata.sources)) {
    if (content !== undefined) {
      const calculatedHash = hashSource(content);
      if (calculatedHash === keccak256) set(assembled.found, path, content);
      else set(assembled.invalid, path, { expectedHash: keccak256, calculatedHash, msg: wrongContent });
      continue;
    }
    const file = await pool.find(keccak256);
    if (file) {
      set(assembled.found, path, file.content);
      assembled.usedFiles.push(file.path);
      continue;
    }
    // A file at the path itself is meant as this source, and is another one.
    const other = pathsCount ? pool.at(path) : undefined;
    if (other === undefined) set(assembled.missing, path, { keccak256, urls });
    else {
      const calculatedHash = hashSource(other.content);
      set(assembled.invalid, path, { expectedHash: keccak256, calculatedHash, msg: otherContent });
    }
  }
  return assembled;
}

const wrongContent =
  "The keccak256 given in the metadata and the calculated keccak256 of the source content in metadata don't match";

const otherContent = 'The file at this path is another one: the keccak256 in the metadata is not that of its content';

export function isComplete({ missing, invalid }: AssembledSources): boolean {
  return Object.keys(missing).length === 0 && Object.keys(invalid).length === 0;
}

export function toClaim(metadata: SolidityMetadata, { found }: AssembledSources): SourceClaim {
  const { language, compilerVersion, target, settings } = metadata;
  const sources = Object.fromEntries(Object.entries(found).map(([path, content]) => [path, { content }]));
  return { language, compilerVersion, target, input: { language, sources, settings } };
}

/**
 * The same with every handed-in source: some compilers make other code of the same metadata if unused files are there
 * (`extra_file_input_bug`).
 */
export function withAllSources(claim: SourceClaim, files: readonly InputFile[]): SourceClaim {
  const sources: CompilerInput['sources'] = {};
  for (const { path, content } of files) set(sources, path, { content });
  return { ...claim, input: { ...claim.input, sources: { ...sources, ...claim.input.sources } } };
}

/** Throws the VerificationError of a claim that lacks sources. */
export function assertComplete({ missing, invalid }: AssembledSources): void {
  const [missingPaths, invalidPaths] = [Object.keys(missing), Object.keys(invalid)];
  if (invalidPaths.length > 0) {
    const message = `One or more sources are mentioned in the metadata but are missing or are invalid. Missing sources: ${list(missingPaths)}; Invalid sources: ${list(invalidPaths)}`;
    const details = { missingSources: cut(missingPaths), invalidSources: cut(invalidPaths) };
    throw new VerificationError('missing_or_invalid_source', message, { details });
  }
  if (missingPaths.length > 0) {
    const message = `One or more sources are mentioned in the metadata but are not provided or could not be fetched. Missing sources: ${list(missingPaths)}`;
    throw new VerificationError('missing_source', message, { details: { missingSources: cut(missingPaths) } });
  }
}

/** Names come from the request: a readable part of them is repeated. */
export function list(paths: readonly string[]): string {
  return [...cut(paths), ...(paths.length > maxNamed ? [`and ${paths.length - maxNamed} more`] : [])].join(', ');
}

function cut(paths: readonly string[]): string[] {
  return paths.slice(0, maxNamed).map((path) => path.slice(0, 200));
}

const maxNamed = 50;

/** A path may be `__proto__`. */
function set<T>(record: Record<string, T>, path: string, value: T): void {
  Object.defineProperty(record, path, { value, enumerable: true, configurable: true, writable: true });
}
