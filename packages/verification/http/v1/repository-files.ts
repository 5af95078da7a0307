// A verified contract as the files of Sourcify's repository. Names of sources are untrusted text: as paths they never
// leave their folder, and two names never become one path.
import { keccak256 } from '../../../protocol/keccak256.ts';
import type { VerificationDetails } from '../../store/select-verification-details.ts';
import { toHex } from '../../terms/hex.ts';

export type RepositoryFile = {
  /** Within the contract's folder. */
  path: string;
  content: string;
  kind: 'source' | 'json' | 'text';
};

export function toRepositoryFiles(details: VerificationDetails): RepositoryFile[] {
  const sources = details.sourcePaths.map((path, i) => ({
    path: `sources/${toFilePath(path)}`,
    content: details.sourceContents[i]!.toString('utf8'),
    kind: 'source' as const,
  }));
  const runtimeValues = parse(details.runtimeValues);
  const creationValues = parse(details.creationValues);
  const { immutableReferences } = parse(details.runtimeCodeArtifacts);
  const files: RepositoryFile[] = [{ path: 'metadata.json', content: formatMetadata(details), kind: 'json' }];
  if (typeof creationValues.constructorArguments === 'string') {
    files.push({ path: 'constructor-args.txt', content: creationValues.constructorArguments, kind: 'text' });
  }
  if (details.transactionHash) {
    files.push({ path: 'creator-tx-hash.txt', content: toHex(details.transactionHash), kind: 'text' });
  }
  if (hasMembers(runtimeValues.libraries)) {
    const libraries = Object.entries(runtimeValues.libraries as Record<string, string>);
    const map = Object.fromEntries(libraries.map(([name, at]) => [toPlaceholder(name, details.version), at]));
    files.push({ path: 'library-map.json', content: JSON.stringify(map), kind: 'json' });
  }
  if (hasMembers(immutableReferences)) {
    files.push({ path: 'immutable-references.json', content: JSON.stringify(immutableReferences), kind: 'json' });
  }
  return [...sources, ...files];
}

/** Every segment is a plain name; `%` begins what was changed. */
function toFilePath(name: string): string {
  return name
    .split('/')
    .map((segment) => {
      if (segment === '') return '%';
      if (segment === '.' || segment === '..') return segment.replaceAll('.', '%2E');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no file system takes them
      return segment.replace(/[%\\\u0000-\u001f\u007f]/g, (character) => {
        return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
      });
    })
    .join('/');
}

/** The place of a library that is not linked: before 0.5.0 its name, since then a hash of its name with the file. */
function toPlaceholder(qualified: string, version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 0 && minor < 5) {
    const name = qualified.slice(qualified.lastIndexOf(':') + 1);
    return `__${name.slice(0, 36).padEnd(38, '_')}`;
  }
  return `__$${keccak256(Buffer.from(qualified)).toString('hex').slice(0, 34)}$__`;
}

/** Compilers before 0.4.7, and Yul, write none: then it is made of what was compiled. */
function formatMetadata(details: VerificationDetails): string {
  const { metadata, abi, devdoc, userdoc } = parse(details.compilationArtifacts);
  if (metadata) return JSON.stringify(metadata);
  const path = details.fullyQualifiedName.slice(0, -details.name.length - 1);
  const sources = details.sourcePaths.map((name, i) => {
    return [name, { keccak256: toHex(keccak256(details.sourceContents[i]!)) }] as const;
  });
  return JSON.stringify({
    compiler: { version: details.version },
    language: details.language,
    output: { abi, devdoc, userdoc },
    settings: { ...parse(details.compilerSettings), compilationTarget: { [path]: details.name } },
    sources: Object.fromEntries(sources),
    version: 1,
  });
}

function parse(text: string | null): Record<string, unknown> {
  return ((text && JSON.parse(text)) ?? {}) as Record<string, unknown>;
}

function hasMembers(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}
