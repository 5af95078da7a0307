// A compiler from the npm registry, fetched by npm itself: its mirror, proxy and integrity check apply. Package numbers
// are not always true, so the corrected package (`0.8.7-fixed`) is asked for first.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { CompilerVersion } from './compiler-version.ts';

/** false = no such package. What it holds is for the caller to find out. */
export async function downloadFromNpm(
  { number }: CompilerVersion,
  folder: string,
  log: (line: string) => void,
): Promise<boolean> {
  if (!/^\d+\.\d+\.\d+$/.test(number)) return false;
  await mkdir(folder, { recursive: true });
  const work = await mkdtemp(join(folder, '.download-'));
  try {
    for (const name of [`${number}-fixed`, number]) {
      const install = ['install', '--prefix', work, '--ignore-scripts', '--no-save', '--no-audit', '--no-fund'];
      try {
        await promisify(execFile)(npm, [...install, `solc@${name}`], { cwd: work, timeout: 120_000 });
      } catch (error) {
        log(`npm has no solc@${name} for us: ${String((error as Error).message).split('\n')[1] ?? 'npm failed'}`);
        continue;
      }
      await rename(join(work, 'node_modules', 'solc', 'soljson.js'), join(folder, `soljson-v${number}.js`));
      log(`Compiler solc@${name} was fetched from the npm registry.`);
      return true;
    }
    return false;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
