// Entry of the thread that a compiler runs in. Compilers are untrusted programs: before one is evaluated, all globals
// that are not part of the language (process, require, network, timers, …) are removed from this thread, and of the
// check only the compiler's input and output come here. The thread ends with its process.
import { createRequire } from 'node:module';
import { compileFunction, createContext, runInContext } from 'node:vm';
import { parentPort, workerData } from 'node:worker_threads';

type Solc = { semver(): string; compile(input: string): string };

const port = parentPort!;
// The newest wrapper drives every older compiler.
const wrap = createRequire(import.meta.url)('solc/wrapper') as (soljson: unknown) => Solc;
const { path, source } = workerData as { path: string; source: string };
const decodeBase64 = globalThis.atob;
let solc: Solc;

port.on('message', (input: string | null) => {
  try {
    if (input === null) {
      solc = wrap(evaluate());
      // Compilers before 0.4 report their version in another form.
      port.postMessage({ text: String(solc.semver()) });
    } else port.postMessage({ text: String(solc.compile(input)) });
  } catch (error) {
    port.postMessage({ error: String((error as Error)?.message ?? error ?? 'It threw nothing.') });
  }
});
const bare = new Set(runInContext('Object.getOwnPropertyNames(globalThis)', createContext()) as string[]);
bare.delete('console');
for (const name of Reflect.ownKeys(globalThis)) {
  if (!bare.has(String(name)) && !Reflect.deleteProperty(globalThis, name)) {
    throw new Error(`${String(name)} cannot be taken away from the compiler.`);
  }
}
port.postMessage({ text: 'ready' });

/** The compiler as its file makes it: without a `process` it assumes a plain shell with `print`. */
function evaluate(): unknown {
  const module = { exports: {} };
  const ignore = (): void => undefined;
  const given: Record<string, unknown> = {
    module,
    exports: module.exports,
    require: (name: string) => {
      throw new Error(`A compiler has no module ${name}.`);
    },
    print: ignore,
    printErr: ignore,
    console: { log: ignore, warn: ignore, error: ignore },
    // 0.7.4 to 0.8.11 carry 20 MB of WebAssembly as base64. Without it they decode it character by character, each a
    // new
    // string: 1,060 MB instead of 350. Text in, text out: no buffer, whose memory could hold other data.
    atob: (text: unknown) => decodeBase64(String(text)),
  };
  const whole = `${source}\n;if (typeof Module === 'object') module.exports = Module;`;
  // No dynamic import: no loader is given.
  compileFunction(whole, Object.keys(given), { filename: path })(...Object.values(given));
  return module.exports;
}
