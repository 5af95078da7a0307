// Makes the npm package, installs it in an empty folder as a user would, and runs what it installs.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** Path of the tarball in `folder`. It is made where no package is installed. */
export function makePackage(folder: string): string {
  const clone = join(folder, 'clone');
  const left = ['node_modules', '.git', '.runtime', 'test', 'bench'].map((name) => join(root, name));
  cpSync(root, clone, { recursive: true, filter: (path) => !left.includes(path) });
  const output = run(process.execPath, [join(clone, 'scripts', 'pack.mjs'), '--output', folder], clone);
  return output.trim().split('\n').at(-1)!;
}

export function listPackage(tarball: string): string[] {
  const names = run('tar', ['--list', '--gzip', '--file', tarball], root).trim().split('\n');
  return names.map((name) => name.replace(/^package\//, '')).sort();
}

/** Installs from the registry, or from what npm has in its cache; the path of the command. */
export function installPackage(tarball: string, folder: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', tarball], folder);
  return join(folder, 'node_modules', '.bin', 'ledger-mirror');
}

/** Standard output. */
export function run(command: string, args: readonly string[], cwd: string): string {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('LEDGER_MIRROR_')));
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
