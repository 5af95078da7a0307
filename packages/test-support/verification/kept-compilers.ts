// What compilers answered, kept between runs by the compiler's program and its input: the tests compile the same few
// contracts, and each time takes seconds of a processor. Only outputs are kept: what is made of them is done again in
// every test. Files that are about compilers and their processes take those of the program (createVerifier without
// `runCheck`).
import { type ChildProcess, fork } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Compiler } from '../../verification/compilers/load-compiler.ts';
import type { RunCheck } from '../../verification/compilers/run-check-process.ts';
import { answerCheck } from '../../verification/matching/answer-check.ts';

/** Checks in this process, with compilers of `openKeptCompiler`. No limits of processor time and memory. */
export const checkWithKept: RunCheck = async (request, _limits, signal) => {
  signal.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([answerCheck(request, async () => {}, openKeptCompiler), ended.promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};

/** @param path of a `soljson.js`. Throws what the compiler throws; that is not kept. */
export async function openKeptCompiler(path: string): Promise<Compiler> {
  const place = placeOf(path);
  return {
    version: await keep(join(place, 'version'), () => ask(path, null)),
    compile: (input) => keep(join(place, hashOf(input)), () => ask(path, input)),
  };
}

/** Of an installed compiler, by its number: `solc`, or `solc-<version>`. */
export function soljsonOf(number: string): string {
  try {
    return require.resolve(`solc-${number}/soljson.js`);
  } catch {
    return require.resolve('solc/soljson.js');
  }
}

const require = createRequire(import.meta.url);
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const root = join(here('../../../node_modules/.cache/compiled-contracts'), hashOfLoader());

/** The files between a compiler and its caller: another of these may answer something else. */
function hashOfLoader(): string {
  const files = ['compiler-thread.ts', 'compilers/load-compiler.ts'].map((name) => here(`../../verification/${name}`));
  const hash = createHash('sha256');
  for (const file of [...files, require.resolve('solc/wrapper')]) hash.update(readFileSync(file));
  return shortened(hash);
}

const places = new Map<string, string>();

/** The folder of what a program answered, by the program's content. */
function placeOf(path: string): string {
  const key = `${path} ${statSync(path).mtimeMs}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  const place = join(root, hashOf(readFileSync(path)));
  mkdirSync(place, { recursive: true });
  places.set(key, place);
  return place;
}

function hashOf(content: string | Buffer): string {
  return shortened(createHash('sha256').update(content));
}

function shortened(hash: Hash): string {
  return hash.digest('hex').slice(0, 32);
}

async function keep(file: string, make: () => Promise<string>): Promise<string> {
  try {
    return gunzipSync(readFileSync(file)).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const text = await make();
  // Other processes of the run read it, or write the same: it is whole from the moment it has its name.
  const written = `${file}.${process.pid}.${++writes}`;
  writeFileSync(written, gzipSync(text, { level: 1 }));
  renameSync(written, file);
  return text;
}
let writes = 0;

type Answer = { text: string } | { error: string };

/** The process of the compiler that was asked last: each takes 150 MB. */
let running: { path: string; child: ChildProcess } | null = null;
let last: Promise<unknown> = Promise.resolve();

/** One after the other: what is compiled at once takes the memory of all. `null` asks for the version. */
function ask(path: string, input: string | null): Promise<string> {
  const asked = last.then(async () => {
    const child = processOf(path);
    child.ref();
    child.channel!.ref();
    child.send({ input });
    const ended = once(child, 'exit').then(() => ({ error: 'The process of the compiler has ended.' }));
    const answer = (await Promise.race([once(child, 'message').then(([message]) => message), ended])) as Answer;
    child.unref();
    child.channel?.unref();
    if ('error' in answer) throw new Error(answer.error);
    return answer.text;
  });
  last = asked.catch(() => {});
  return asked;
}

function processOf(path: string): ChildProcess {
  if (running?.path === path && running.child.connected) return running.child;
  running?.child.kill('SIGKILL');
  // As the process of a check: deep expressions need more than V8's 1 MB.
  const child = fork(here('compile-process.ts'), [path], { execArgv: ['--single-threaded', '--stack-size=3900'] });
  running = { path, child };
  return child;
}
