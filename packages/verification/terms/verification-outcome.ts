// The result of a finished check. "No match" is an outcome with a reason; only what prevented a check is an error.
import type { CompilerSettings, ContractTarget } from './source-claim.ts';

export type VerificationOutcome = {
  /** v1 word: perfect if either side is, else partial if either is; `null` is the text, not the value. */
  status: 'perfect' | 'partial' | 'extra-file-input-bug' | 'null';
  code: OutcomeCode;
  /** Readable sentences: what matched, or what differs and where. */
  message: string;
  runtime: SideOutcome;
  creation: SideOutcome;
  /** Link placeholder → 40 hex digits; empty if nothing was linked by placeholder. */
  libraryMap: Record<string, string>;
  /** null if the check ended before compiling. */
  compilation: CompilationResult | null;
  /** Set if the compared code is the implementation's, not the address's own. */
  proxy: { kind: 'eip1167'; implementation: string } | null;
};

export type OutcomeCode =
  | 'match'
  | 'no_match'
  | 'bytecode_length_mismatch'
  | 'extra_file_input_bug'
  | 'compiled_bytecode_is_zero'
  | 'contract_not_deployed'
  | 'system_contract'
  | 'token_proxy'
  | 'onchain_bytecode_not_available';

export type SideOutcome = {
  match: 'perfect' | 'partial' | null;
  /** Where compiled code was filled from the chain, and why (Sourcify's form, offsets in bytes). */
  transformations: Transformation[];
  transformationValues: TransformationValues;
  /** 0x hex as compared; null = this side is unknown. */
  onchainCode: string | null;
  compiledCode: string | null;
};

export type Transformation = {
  type: 'insert' | 'replace' | 'delete';
  reason: 'constructorArguments' | 'library' | 'immutable' | 'cborAuxdata' | 'callProtection';
  offset: number;
  id?: string;
  length?: number;
};

export type TransformationValues = {
  constructorArguments?: string;
  callProtection?: string;
  libraries?: Record<string, string>;
  immutables?: Record<string, string>;
  cborAuxdata?: Record<string, string>;
};

export type CompilationResult = {
  language: string;
  /** The compiler's own long version, e.g. `0.8.19+commit.7dd6d404`. */
  compilerVersion: string;
  target: ContractTarget;
  /** As compiled: a variant that the on-chain hash proves may have replaced the claimed ones. */
  sources: Record<string, string>;
  /** Keccak-256 of each source, in hex: 20 ms a megabyte, spent in the check's process. */
  sourceHashes: Record<string, string>;
  settings: CompilerSettings;
  durationMs: number;
  abi: unknown[] | null;
  /** Parsed metadata JSON; null before 0.4.7. */
  metadata: unknown;
  devdoc: unknown;
  userdoc: unknown;
  storageLayout: unknown;
  /** null before 0.8.27. */
  transientStorageLayout: unknown;
  /** null if the compiler numbers no sources. */
  sourceIds: Record<string, { id: number }> | null;
  runtimeArtifacts: CodeArtifacts;
  creationArtifacts: CodeArtifacts;
  /** Of all contracts that were compiled, this one included. */
  shapes: CompiledShape[];
  /** Of its interface; the hash is Keccak-256, hex. */
  signatures: { kind: 'function' | 'event' | 'error'; signature: string; hash: string }[];
};

/** What code of a contract is recognized by (`code-shape.ts`). */
export type CompiledShape = {
  /** `path:Name` */
  name: string;
  /** Hex. */
  hash: string;
};

export type CodeArtifacts = {
  sourceMap: string | null;
  linkReferences: unknown;
  cborAuxdata: Record<string, { offset: number; value: string }>;
  /** Runtime code only: AST id → places. */
  immutableReferences?: Record<string, { start: number; length: number }[]> | null;
};
