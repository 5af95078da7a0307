// Verdicts of lib-sourcify's Verification on claims, from a separate process.

import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { SourceClaim } from '../../../src/verification/terms/source-claim.ts';
import type { SideOutcome } from '../../../src/verification/terms/verification-outcome.ts';
import { soljsonOf } from './compile-solidity.ts';

export type ReferenceQuestion = {
  claim: SourceClaim;
  /** 0x hex. */
  runtimeCode: string;
  creationCode: string | null;
};

type Side = Pick<SideOutcome, 'match' | 'transformations'> & { values: SideOutcome['transformationValues'] };

export type ReferenceVerdict = { code: string; runtime: Side; creation: Side };

export async function askSourcify(compiler: string, questions: ReferenceQuestion[]): Promise<ReferenceVerdict[]> {
  const program = fileURLToPath(new URL('sourcify-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, soljsonOf(compiler)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(questions));
  return JSON.parse(await text(child.stdout)) as ReferenceVerdict[];
}
