// The compiler in the form of lib-sourcify, which compiles the same contract more than once: the last outputs are
// cached.
import type { Compiler } from '../compilers/load-compiler.ts';
import { VerificationError } from '../terms/verification-error.ts';
import type { StandardCompiler } from './sourcify.ts';

type CompilerMessage = {
  severity?: string;
  formattedMessage?: string;
  message?: string;
  [other: string]: unknown;
};

export type StandardOutput = {
  errors?: CompilerMessage[];
  contracts?: Record<string, Record<string, unknown>>;
  sources?: Record<string, { id: number }>;
};

/** `compile` throws a VerificationError with the errors of the compiler. */
export function createStandardCompiler(compiler: Compiler): StandardCompiler {
  const outputs = new Map<string, StandardOutput>();
  return {
    async compile(_version, input) {
      const text = JSON.stringify(input);
      const known = outputs.get(text);
      if (known) return known;
      const output = await run(compiler, text);
      const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
      if (errors.length > 0) throw compilerError(errors);
      if (outputs.size >= maxOutputs) outputs.delete(outputs.keys().next().value!);
      outputs.set(text, output);
      return output;
    },
  };
}

const maxOutputs = 2;

/** Messages of compilers that ran out of stack or memory. */
const limits = [
  { pattern: /call stack/i, sentence: 'The sources are nested too deeply for the compiler' },
  { pattern: /memory|OOM/i, sentence: 'The sources need more memory than the compiler can have' },
];

async function run(compiler: Compiler, text: string): Promise<StandardOutput> {
  let output: string;
  try {
    output = await compiler.compile(text);
  } catch (error) {
    const message = String((error as Error)?.message ?? error);
    const limit = limits.find(({ pattern }) => pattern.test(message));
    if (limit) throw new VerificationError('compiler_limit', `${limit.sentence} (${message}).`);
    throw new VerificationError('compiler_error', `Compiler error. ${message}`, {
      details: { compilerErrorMessage: message.slice(0, 1000) },
    });
  }
  return JSON.parse(output) as StandardOutput;
}

function compilerError(errors: CompilerMessage[]): VerificationError {
  const shown = errors.slice(0, 20).map((error) => ({
    ...error,
    message: clip(error.message),
    formattedMessage: clip(error.formattedMessage),
  }));
  const texts = shown.slice(0, 3).map((one) => (one.formattedMessage || one.message).trim());
  const more = errors.length > 3 ? ` (${errors.length - 3} more)` : '';
  return new VerificationError('compiler_error', `Compiler error. ${texts.join(' ')}${more}`, {
    details: { compilerErrors: shown },
  });
}

function clip(text: string | undefined): string {
  return (text ?? '').slice(0, 1000);
}
