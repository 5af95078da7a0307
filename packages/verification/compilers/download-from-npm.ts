// A compiler from the npm registry, fetched by npm itself: its mirror, proxy and integrity check apply.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CompilerVersion } from './compiler-version.ts';

/** false = no such package. The caller checks its content. */
export async function downloadFromNpm(
  { number }: CompilerVersion,
  folder: string,
  log: (line: string) => void,
): Promise<boolean> {
  const target = join(folder, `soljson-v${number}.js`);
  // The registry's package of this number is installed already, and is another compiler.
  if (!/^\d+\.\d+\.\d+$/.test(number) || existsSync(target)) return false;
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, '.download-'));
  const name = `solc@${number}${correctedNumbers.has(number) ? '-fixed' : ''}`;
  try {
    const options = ['--prefix', work, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
    await promisify(execFile)(npm, ['install', ...options, name], { cwd: work, timeout: 120_000 });
    await rename(join(work, 'node_modules', 'solc', 'soljson.js'), target);
    log(`Compiler ${name} was fetched from the npm registry.`);
    return true;
  } catch (error) {
    const lines = String((error as Error).message).split('\n');
    log(`${name} cannot be had from the npm registry: ${lines.find((line) => /^npm error \w/.test(line)) ?? lines[0]}`);
    return false;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Packages that were published with the content of another version, and again under this name. */
const correctedNumbers: ReadonlySet<string> = new Set(['0.8.7', '0.8.14', '0.8.23']);

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
