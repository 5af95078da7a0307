// The only use of lib-sourcify. Its rules decide what matches: it compiles, finds the places that may differ (metadata
// hashes, immutables, libraries, call protection, constructor arguments) and fills them from the chain. Its
// Verification class is not used: it calls a chain, downloads missing sources, and cannot compare creation code if the
// runtime code is unknown, as it is for older contracts of a ledger.
import {
  DEFAULT_OUTPUT_SELECTION,
  extractAuxdataTransformation,
  extractCallProtectionTransformation,
  extractConstructorArgumentsTransformation,
  extractImmutablesTransformation,
  extractLibrariesTransformation,
  type ISolidityCompiler,
  SolidityCompilation,
  SolidityMetadataContract,
  setLibSourcifyLogger,
  YulCompilation,
} from '@ethereum-sourcify/lib-sourcify';
import type { CompilerInput, ContractTarget } from '../terms/source-claim.ts';

export type Compilation = SolidityCompilation;

// It writes to the console otherwise.
setLibSourcifyLogger({ logLevel: -1, setLevel: () => undefined, log: () => undefined });

/** The outputs that it requests from compilers. */
export const outputSelection = DEFAULT_OUTPUT_SELECTION;

/** Where Solidity's code has its metadata. */
export const solidityAuxdata = 'solidity' as Compilation['auxdataStyle'];

export type StandardCompiler = { compile(version: string, input: object): Promise<object> };

export type CompileRequest = {
  compiler: StandardCompiler;
  compilerVersion: string;
  language: 'Solidity' | 'Yul';
  input: CompilerInput;
  target: ContractTarget;
};

/** Throws lib-sourcify's CompilationError. */
export async function compile(request: CompileRequest): Promise<Compilation> {
  const { compiler, compilerVersion, language, input, target } = request;
  const make = language === 'Yul' ? YulCompilation : SolidityCompilation;
  type Input = ConstructorParameters<typeof SolidityCompilation>[2];
  const copy = structuredClone(input) as unknown as Input;
  const compilation = new make(compiler as unknown as ISolidityCompiler, compilerVersion, copy, target);
  await compilation.compile();
  return compilation;
}

/**
 * The same contract from sources with other line ends, other white space at their end, or other order of metadata, if
 * the metadata hash in the code proves that those were the original ones. null = none of them were.
 */
export async function findOriginalSources(compilation: Compilation, onchainCode: string): Promise<Compilation | null> {
  const { metadata } = compilation;
  if (metadata === undefined) return null;
  const sources = Object.entries(compilation.sources).map(([path, content]) => ({ path, content }));
  const contract = new SolidityMetadataContract(metadata, sources);
  // lib-sourcify would download what it considers missing, e.g. an empty file.
  if (Object.keys(contract.missingSources).length > 0 || Object.keys(contract.invalidSources).length > 0) return null;
  if (!(await contract.tryToFindPerfectMetadata(onchainCode))) return null;
  const found = await contract.createCompilation(compilation.compiler);
  await found.compile();
  return found;
}

/** Where metadata hashes are: compiles again if there are several. Leaves them unknown if they cannot be found. */
export async function locateAuxdata(compilation: Compilation): Promise<void> {
  try {
    await compilation.generateCborAuxdataPositions();
  } catch {
    // Then code with another metadata hash cannot match, which is the answer that is right without them.
  }
}

export const fill = {
  callProtection: extractCallProtectionTransformation,
  immutables: extractImmutablesTransformation,
  libraries: extractLibrariesTransformation,
  auxdata: extractAuxdataTransformation,
  constructorArguments: extractConstructorArgumentsTransformation,
};
