// Messages between the service and the process of a check. Plain values only: they are sent as JSON.
import type { CompilerInput, ContractTarget, LinkedLibrary } from '../terms/source-claim.ts';
import type { VerificationErrorCode } from '../terms/verification-error.ts';
import type { CodeArtifacts, SideOutcome, VerificationOutcome } from '../terms/verification-outcome.ts';

/** Compiler, sources, and the code to compare with. */
export type ClaimToCheck = {
  /** Long version that the compiler must report. */
  compilerVersion: string;
  language: 'Solidity' | 'Yul';
  input: CompilerInput;
  target: ContractTarget;
  libraries: LinkedLibrary[];
  /** 0x hex; null = unknown. */
  runtimeCode: string | null;
  /** 0x hex, likeliest first. */
  creationCodes: string[];
  /** Addresses of the contract, 0x and 40 lower-case hex digits. */
  addresses: string[];
};

export type CheckedOutcome = Omit<VerificationOutcome, 'proxy'>;

export type CheckRequest =
  | { kind: 'identify'; compilerPath: string }
  | ({ kind: 'check'; compilerPath: string } & ClaimToCheck)
  | { kind: 'compare'; compilation: StoredCompilation; contracts: ContractToCompare[] };

/** Without libraries to link. Codes are 0x hex. */
export type StoredCompilation = {
  runtimeCode: string;
  creationCode: string;
  immutableReferences: NonNullable<CodeArtifacts['immutableReferences']>;
  runtimeAuxdata: CodeArtifacts['cborAuxdata'];
  creationAuxdata: CodeArtifacts['cborAuxdata'];
  abi: unknown[] | null;
};

/** 0x hex; creation codes likeliest first. */
export type ContractToCompare = { runtimeCode: string; creationCodes: string[] };

export type ComparedSides = { runtime: SideOutcome; creation: SideOutcome };

/** What the process says once it is ready to read: until then it starts. */
export const firstWord = 'started';

/** The first message to the process; answers without its secret are ignored. */
export type CheckEnvelope = { secret: string; request: CheckRequest };

/** `ready`: the process has read all its files and waits for the start message. */
export type CheckReply = { secret: string; message: { kind: 'ready' } | CheckAnswer };

export type CheckAnswer =
  | { kind: 'identified'; version: string }
  /** The file was evaluated, and is no compiler: it will be none later. */
  | { kind: 'notCompiler'; message: string }
  | { kind: 'checked'; outcome: CheckedOutcome }
  /** In the order of the contracts; null = no match. */
  | { kind: 'compared'; matches: (ComparedSides | null)[] }
  | { kind: 'refused'; code: VerificationErrorCode; message: string; details?: unknown };
