// What a check is explained from: both sides as compared, and the claim.
import type { CompilerSettings, LinkedLibrary } from '../terms/source-claim.ts';
import type { OutcomeCode, TransformationValues } from '../terms/verification-outcome.ts';

export type ComparedContract = {
  code: OutcomeCode;
  runtime: ComparedCode;
  creation: ComparedCode;
  /** Long version of the compiler that was used. */
  compilerVersion: string;
  settings: CompilerSettings;
  /** Libraries that the record names. */
  libraries: LinkedLibrary[];
  /** Libraries without address in the compiled code: `file:Name`. */
  openLibraries: string[];
  /** The contract's own addresses. */
  addresses: string[];
};

/** Codes are 0x hex. */
export type ComparedCode = {
  match: 'perfect' | 'partial' | null;
  /** null = not known. */
  onchain: string | null;
  compiled: string;
  /** Compiled code with everything that may differ filled from the chain; null if it was not compared. */
  filled: string | null;
  values: TransformationValues;
};
