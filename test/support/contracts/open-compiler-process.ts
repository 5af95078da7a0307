// A process with one compiler that makes many checks, where the program starts a process for each: most of what those take is the
// start of the compiler. It also has verdicts of lib-sourcify's Verification on claims.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CheckAnswer, CheckRequest } from '../../../packages/verification/compilers/check-protocol.ts';
import type { SourceClaim } from '../../../packages/verification/terms/source-claim.ts';
import type { SideOutcome } from '../../../packages/verification/terms/verification-outcome.ts';
import { soljsonOf } from './compile-solidity.ts';

export type ReferenceQuestion = {
  claim: SourceClaim;
  /** 0x hex. */
  runtimeCode: string;
  creationCode: string | null;
};

type Side = Pick<SideOutcome, 'match' | 'transformations'> & { values: SideOutcome['transformationValues'] };

export type ReferenceVerdict = { code: string; runtime: Side; creation: Side };

export type CompilerProcess = {
  check(request: CheckRequest): Promise<CheckAnswer>;
  /** The verdict of lib-sourcify. */
  judge(question: ReferenceQuestion): Promise<ReferenceVerdict>;
  close(): Promise<void>;
};

/** Answers come in the order of the calls. */
export function openCompilerProcess(compiler: string): CompilerProcess {
  const program = fileURLToPath(new URL('compiler-process.ts', import.meta.url));
  // As the process of a check: deep expressions need more than V8's 1 MB.
  const child = fork(program, [soljsonOf(compiler)], { execArgv: ['--single-threaded', '--stack-size=3900'] });
  const waiting: PromiseWithResolvers<unknown>[] = [];
  child.on('message', (answer) => waiting.shift()!.resolve(answer));
  const ended = once(child, 'exit').then(() => {
    for (const { reject } of waiting.splice(0)) reject(new Error('The process of the compiler has ended.'));
  });

  function ask<Answer>(question: { check: CheckRequest } | { judge: ReferenceQuestion }): Promise<Answer> {
    const answered = Promise.withResolvers<unknown>();
    waiting.push(answered);
    child.send(question);
    return answered.promise as Promise<Answer>;
  }

  return {
    check: (request) => ask({ check: request }),
    judge: (question) => ask({ judge: question }),
    async close() {
      child.kill();
      await ended;
    },
  };
}
