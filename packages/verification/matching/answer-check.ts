// Inside the process of one check: request in, answer out. Every error becomes an answer with a code.
import type { CheckAnswer, CheckRequest } from '../compilers/check-protocol.ts';
import { isVersion, parseCompilerVersion } from '../compilers/compiler-version.ts';
import { loadCompiler, NotCompiler } from '../compilers/load-compiler.ts';
import { VerificationError, type VerificationErrorCode } from '../terms/verification-error.ts';
import { createStandardCompiler } from './create-standard-compiler.ts';

/** `beforeForeignCode` is awaited after every file has been read and before the compiler begins. `load`: for tests. */
export async function answerCheck(
  request: CheckRequest,
  beforeForeignCode: () => Promise<void>,
  load = loadCompiler,
): Promise<CheckAnswer> {
  try {
    if (request.kind === 'compare') {
      const { compareContracts } = await import('./compare-contracts.ts');
      return { kind: 'compared', matches: compareContracts(request.compilation, request.contracts) };
    }
    // Loaded late: it takes as long as a small compiler, and a version request does not need it.
    const checking = request.kind === 'check' ? await import('./check-claim.ts') : null;
    const compiler = await load(request.compilerPath, beforeForeignCode);
    if (request.kind === 'identify') return { kind: 'identified', version: compiler.version };
    const [is, wanted] = [compiler.version, request.compilerVersion].map((text) => parseCompilerVersion(text));
    if (!is || !wanted || !isVersion(is, wanted)) {
      throw new VerificationError(
        'compiler_not_available',
        `${request.compilerPath} was ${request.compilerVersion} and is ${compiler.version} now.`,
      );
    }
    const outcome = await checking!.checkClaim({
      ...request,
      compiler: createStandardCompiler(compiler),
    });
    return { kind: 'checked', outcome };
  } catch (error) {
    return toRefusal(error);
  }
}

function toRefusal(error: unknown): CheckAnswer {
  if (error instanceof NotCompiler) return { kind: 'notCompiler', message: error.message };
  if (error instanceof VerificationError) {
    return { kind: 'refused', code: error.code, message: error.message, details: error.details };
  }
  const code = libraryCodes[(error as { code?: string }).code ?? ''] ?? 'compiler_crashed';
  return { kind: 'refused', code, message: error instanceof Error ? error.message : String(error) };
}

/** lib-sourcify's codes that are answers to the claim; anything else is our failure. */
const libraryCodes: Record<string, VerificationErrorCode> = {
  compiler_error: 'compiler_error',
  no_compiler_output: 'no_compiler_output',
  contract_not_found_in_compiler_output: 'contract_not_found_in_compiler_output',
  invalid_compiler_version: 'invalid_compiler_version',
  unsupported_compiler_version: 'invalid_compiler_version',
};
