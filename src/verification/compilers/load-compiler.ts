// Inside the process of one check: a compiler as a function from standard JSON to standard JSON. It gets no import
// callback, so what the sources do not bring along is not there.
import { createRequire } from 'node:module';

export type Compiler = {
  /** As it says itself: `0.8.19+commit.7dd6d404.Emscripten.clang`. */
  version: string;
  /** Standard JSON in, standard JSON out. */
  compile(input: string): string;
};

type Wrapper = (soljson: unknown) => { version(): string; compile(input: string): string };

export function loadCompiler(path: string): Compiler {
  const require = createRequire(import.meta.url);
  // The newest wrapper drives every older compiler.
  const wrap = require('solc/wrapper') as Wrapper;
  const solc = wrap(require(path));
  return { version: solc.version(), compile: (input) => solc.compile(input) };
}
