// Files as people drop them: which are metadata, which are sources, and what the build output of a tool holds of both.
import { isJsonObject } from '../../kit/is-json-object.ts';
import { parseModestJson } from '../terms/modest-json.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { isMetadata, readSolidityMetadata, type SolidityMetadata } from './solidity-metadata.ts';

export type InputFile = { path: string; content: string };

export type SortedFiles = { metadata: SolidityMetadata[]; sources: InputFile[] };

/** The build output of a large project has some hundreds. */
const maxContracts = 1000;

/** Throws a VerificationError if metadata is there that cannot be used, or too much of it. */
export function sortFiles(files: readonly InputFile[]): SortedFiles {
  const sorted: SortedFiles = { metadata: [], sources: [] };
  for (const file of files) {
    if (file.content.startsWith('PK\u0003\u0004')) throw archive(file.path);
    const document = tryParse(file.content);
    const build = readBuildOutput(document);
    if (build !== null) {
      sorted.sources.push(...build.sources);
      sorted.metadata.push(...build.metadata.map(readSolidityMetadata));
    } else {
      const metadata = findMetadata(document) ?? findNestedMetadata(file.content);
      if (metadata === null) sorted.sources.push(file);
      else sorted.metadata.push(readSolidityMetadata(metadata));
    }
    if (sorted.metadata.length > maxContracts) {
      const message = `The files have metadata of more than ${maxContracts} contracts.`;
      throw new VerificationError('invalid_parameter', message);
    }
  }
  return sorted;
}

/** Hardhat's build-info and others of its form: the compiler's input and output in one document. */
function readBuildOutput(document: unknown): { sources: InputFile[]; metadata: unknown[] } | null {
  if (!isJsonObject(document) || !isJsonObject(document.input) || !isJsonObject(document.output)) return null;
  const { sources } = document.input;
  const { contracts } = document.output;
  if (!isJsonObject(sources) || !isJsonObject(contracts)) return null;
  const outputs = Object.values(contracts).filter(isJsonObject).flatMap(Object.values).filter(isJsonObject);
  return {
    sources: Object.entries(sources).flatMap(([path, source]) =>
      isJsonObject(source) && typeof source.content === 'string' ? [{ path, content: source.content }] : [],
    ),
    metadata: outputs
      .map(({ metadata }) => (typeof metadata === 'string' ? findMetadata(tryParse(metadata)) : null))
      .filter((metadata) => metadata !== null),
  };
}

function findMetadata(document: unknown): unknown {
  if (isMetadata(document)) return document;
  // Some tools store it as JSON within JSON.
  const inner = typeof document === 'string' ? tryParse(document) : undefined;
  return isMetadata(inner) ? inner : null;
}

const nestedStart = '"{\\"compiler\\":{\\"version\\"';
const nestedEnd = '},\\"version\\":1}"';

/** Metadata as text within another document, such as an artifact. */
function findNestedMetadata(content: string): unknown {
  const start = content.indexOf(nestedStart);
  const end = start < 0 ? -1 : content.indexOf(nestedEnd, start);
  return end < 0 ? null : findMetadata(tryParse(content.slice(start, end + nestedEnd.length)));
}

/** Sources are no JSON, and begin with neither character. */
function tryParse(content: string): unknown {
  if (!/^\s*[{"]/.test(content)) return undefined;
  try {
    return parseModestJson(content, { maxValues: 1_000_000, maxDepth: 128 });
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function archive(path: string): VerificationError {
  const message = `${path.slice(0, 200)} is a ZIP archive: send the files in it.`;
  return new VerificationError('invalid_parameter', message);
}
