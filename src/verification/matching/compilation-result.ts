// A compilation in the shape that is kept and shown.
import { keccak256 } from '../../protocol/keccak256.ts';
import type { CodeArtifacts, CompilationResult } from '../verification-outcome.ts';
import { auxdataOf } from './match-code.ts';
import type { Compilation } from './sourcify.ts';

export function toCompilationResult(
  compilation: Compilation,
  compilerVersion: string,
  durationMs: number,
): CompilationResult {
  const output = compilation.contractCompilerOutput;
  const { runtimeLinkReferences, creationLinkReferences, immutableReferences } = compilation;
  // Sourcify's form: of Yul, which names neither libraries nor immutables, there are none rather than an empty list.
  const references = (found: object) =>
    compilation.language === 'Yul' && Object.keys(found).length === 0 ? null : found;
  return {
    language: compilation.language,
    compilerVersion,
    target: compilation.compilationTarget,
    sources: compilation.sources,
    sourceHashes: mapValues(compilation.sources, (content) => keccak256(Buffer.from(content)).toString('hex')),
    settings: withoutSelection(compilation.jsonInput.settings as CompilationResult['settings']),
    durationMs,
    abi: output.abi ?? null,
    metadata: compilation.metadata ?? null,
    devdoc: output.devdoc ?? null,
    userdoc: output.userdoc ?? null,
    storageLayout: output.storageLayout ?? null,
    transientStorageLayout: output.transientStorageLayout ?? null,
    sourceIds: sourceIds(compilation),
    runtimeArtifacts: {
      ...artifacts(
        output.evm.deployedBytecode?.sourceMap,
        references(runtimeLinkReferences),
        auxdataOf(compilation, 'runtime'),
      ),
      immutableReferences: references(immutableReferences) as CodeArtifacts['immutableReferences'],
    },
    creationArtifacts: artifacts(
      output.evm.bytecode.sourceMap,
      references(creationLinkReferences),
      auxdataOf(compilation, 'creation'),
    ),
  };
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function artifacts(
  sourceMap: unknown,
  linkReferences: unknown,
  cborAuxdata: CodeArtifacts['cborAuxdata'],
): CodeArtifacts {
  return { sourceMap: typeof sourceMap === 'string' ? sourceMap : null, linkReferences, cborAuxdata };
}

/** The selection is the check's own. */
function withoutSelection(settings: CompilationResult['settings']): CompilationResult['settings'] {
  const { outputSelection: _, ...rest } = settings;
  return rest;
}

function sourceIds(compilation: Compilation): CompilationResult['sourceIds'] {
  // Translated outputs of compilers before 0.4.11 have ids as text, those before 0.3.6 none.
  const sources = (compilation.compilerOutput?.sources ?? {}) as Record<string, { id?: number | string }>;
  return Object.fromEntries(
    Object.entries(sources).map(([path, { id }]) => [path, id === undefined ? {} : { id: Number(id) }]),
  );
}
