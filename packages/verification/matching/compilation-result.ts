// A compilation in the form that is stored and shown.

import { toSignatures } from '../../abi/to-signatures.ts';
import { keccak256 } from '../../protocol/keccak256.ts';
import { hashCompiledShape } from '../terms/code-shape.ts';
import type { CodeArtifacts, CompilationResult, CompiledShape } from '../terms/verification-outcome.ts';
import { auxdataOf } from './match-code.ts';
import type { Compilation } from './sourcify.ts';

export function toCompilationResult(
  compilation: Compilation,
  compilerVersion: string,
  durationMs: number,
): CompilationResult {
  const output = compilation.contractCompilerOutput;
  const { bytecode, deployedBytecode } = output.evm;
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
      ...artifacts(deployedBytecode, auxdataOf(compilation, 'runtime')),
      // Sourcify's form: null for Yul, not an empty list.
      immutableReferences: compilation.language === 'Yul' ? null : compilation.immutableReferences,
    },
    creationArtifacts: artifacts(bytecode, auxdataOf(compilation, 'creation')),
    shapes: shapesOf(compilation),
    signatures: toSignatures(output.abi),
  };
}

/** Of projects, the largest have some hundreds. */
const maxShapes = 1_000;

function shapesOf(compilation: Compilation): CompiledShape[] {
  const { path, name } = compilation.compilationTarget;
  const own = {
    name: `${path}:${name}`,
    hash: hashCompiledShape(compilation.runtimeBytecode.slice(2)).toString('hex'),
  };
  const contracts = (compilation.compilerOutput?.contracts ?? {}) as Record<string, Record<string, CompiledContract>>;
  const others = Object.entries(contracts).flatMap(([file, inFile]) =>
    Object.entries(inFile).flatMap(([contract, { evm }]) => {
      const object = evm?.deployedBytecode?.object;
      // Interfaces and abstract contracts have none.
      if (typeof object !== 'string' || object === '') return [];
      return [{ name: `${file}:${contract}`, hash: hashCompiledShape(object).toString('hex') }];
    }),
  );
  return [own, ...others.filter((one) => one.name !== own.name)].slice(0, maxShapes);
}

type CompiledContract = { evm?: { deployedBytecode?: { object?: unknown } } };

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** `code` is the compiler's: absent members become null, as in the deployed code of Yul before 0.6. */
function artifacts(
  code: { sourceMap?: unknown; linkReferences?: unknown } | undefined,
  cborAuxdata: CodeArtifacts['cborAuxdata'],
): CodeArtifacts {
  const { sourceMap, linkReferences = null } = code ?? {};
  return { sourceMap: typeof sourceMap === 'string' ? sourceMap : null, linkReferences, cborAuxdata };
}

/** The output selection is the check's own. */
function withoutSelection(settings: CompilationResult['settings']): CompilationResult['settings'] {
  const { outputSelection: _, ...rest } = settings;
  return rest;
}

/** null if the compiler numbers no sources, as in Sourcify: Solidity before 0.3.6, and Yul. */
function sourceIds(compilation: Compilation): CompilationResult['sourceIds'] {
  // Translated outputs of compilers before 0.4.11 have ids as text.
  const sources = (compilation.compilerOutput?.sources ?? {}) as Record<string, { id?: number | string }>;
  const numbered = Object.entries(sources).filter(([, { id }]) => id !== undefined);
  if (numbered.length === 0) return null;
  return Object.fromEntries(numbered.map(([path, { id }]) => [path, { id: Number(id) }]));
}
