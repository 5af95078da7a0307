// What a contract was compiled from, as claimed: sources and settings as compiler input, compiler, and the contract's
// name. Nothing of it is trusted before it has been compiled and compared.

export const languages = ['Solidity', 'Yul', 'Vyper'] as const;

export type SourceClaim = {
  language: (typeof languages)[number];
  /** As the record names it, with or without a leading `v`: `v0.8.19+commit.7dd6d404`. */
  compilerVersion: string;
  /** The compiler's standard JSON input; its outputSelection is replaced. */
  input: CompilerInput;
  target: ContractTarget;
  /** Libraries that were linked by hand, e.g. an explorer's `Library` field. `path` if known. */
  libraries?: LinkedLibrary[];
};

export type ContractTarget = {
  /** Name of the source unit, a key of `input.sources`. */
  path: string;
  name: string;
};

export type LinkedLibrary = { name: string; address: string; path?: string };

export type CompilerInput = {
  language: string;
  sources: Record<string, { content?: string; urls?: string[]; keccak256?: string }>;
  settings: CompilerSettings;
};

export type CompilerSettings = {
  optimizer?: { enabled?: boolean; runs?: number; details?: unknown };
  evmVersion?: string;
  viaIR?: boolean;
  remappings?: string[];
  libraries?: Record<string, Record<string, string>>;
  metadata?: { bytecodeHash?: string; appendCBOR?: boolean; useLiteralContent?: boolean };
  outputSelection?: unknown;
  [other: string]: unknown;
};
