// Runs the program as an operator does, in a separate process, and reports what it took: time, CPU, peak memory. Its
// PostgreSQL is another process, whose CPU time is read from /proc where there is one.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresCpuSeconds } from './postgres-cpu.ts';

export type ProgramRun = {
  seconds: number;
  /** Sampled, of the program alone. */
  samplesMb: number[];
  cpuSeconds: number;
  /** Part of it. */
  mainThreadSeconds: number;
  /** How long the main thread waited for the garbage collector. */
  gcPauseSeconds: number;
  /** null if it cannot be measured. */
  postgresCpuSeconds: number | null;
  peakMb: number;
  /** Standard output and standard error. */
  output: string;
};

const launcher = fileURLToPath(new URL('../../scripts/ledger-mirror.mjs', import.meta.url));
const sampleMs = 200;

/** `dataFolder`: as in the arguments. Throws if the program fails. */
export async function runProgram(args: string[], dataFolder: string): Promise<ProgramRun> {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-bench-'));
  const usageFile = join(folder, 'usage.json');
  const started = performance.now();
  const child = spawn(process.execPath, [launcher, ...args], {
    env: {
      ...withoutSettings(process.env),
      NODE_OPTIONS: `--import=${import.meta.resolve('./report-usage.ts')}`,
      BENCH_USAGE_FILE: usageFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  let postgres: number | null = null;
  const sampling = setInterval(() => {
    // The largest: a server that is ending has already lost some of its children.
    const now = postgresCpuSeconds(dataFolder);
    if (now !== null) postgres = Math.max(now, postgres ?? 0);
  }, sampleMs);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const seconds = (performance.now() - started) / 1000;
    if (code !== 0) throw new Error(`ledger-mirror ${args[0]} ended with ${code}:\n${output}`);
    const usage = JSON.parse(readFileSync(usageFile, 'utf8')) as Omit<
      ProgramRun,
      'seconds' | 'postgresCpuSeconds' | 'output'
    >;
    return { seconds, ...usage, postgresCpuSeconds: postgres, output };
  } finally {
    clearInterval(sampling);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The caller's settings for another mirror must not apply to the measured one. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSetting = (name: string): boolean => name === 'DATABASE_URL' || name.startsWith('LEDGER_MIRROR_');
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !isSetting(name)));
}
