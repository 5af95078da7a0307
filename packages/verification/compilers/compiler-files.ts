// Where compilers lie: in the operator's folder, and among installed packages (`solc`, and aliases `solc-<version>`).
// Names are only hints for the order of trying: the compiler's own version() decides.
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type CompilerFile = {
  path: string;
  /** The version in its name or package.json, e.g. `0.8.19`; null = none. */
  claimedNumber: string | null;
  /** Changes when the file changes. */
  stamp: string;
};

/** `folder`: files `soljson*.js`, and packages (a folder with `soljson.js`), one level deep. */
export async function listCompilerFiles(folder: string | null): Promise<CompilerFile[]> {
  const files: CompilerFile[] = [];
  if (folder !== null) {
    for (const name of await listFolder(folder)) {
      const path = join(folder, name);
      if (/^soljson.*\.js$/.test(name)) await addFile(files, path, name);
      else await addFile(files, join(path, 'soljson.js'), name);
    }
  }
  for (const modules of moduleFolders()) {
    for (const name of await listFolder(modules)) {
      if (/^solc(-|$)/.test(name)) await addFile(files, join(modules, name, 'soljson.js'), name);
    }
  }
  return files;
}

async function addFile(files: CompilerFile[], path: string, name: string): Promise<void> {
  try {
    const real = await realpath(path);
    if (files.some((file) => file.path === real)) return;
    const { size, mtimeMs } = await stat(real);
    files.push({ path: real, claimedNumber: await claimedNumber(real, name), stamp: `${size}:${mtimeMs}` });
  } catch (error) {
    if (!isAbsent(error)) throw new Error(`Compiler file ${path} cannot be read: ${(error as Error).message}`);
  }
}

async function claimedNumber(path: string, name: string): Promise<string | null> {
  const fromName = /\d+\.\d+\.\d+/.exec(name)?.[0];
  if (fromName !== undefined) return fromName;
  try {
    const { version } = JSON.parse(await readFile(join(dirname(path), 'package.json'), 'utf8')) as {
      version?: unknown;
    };
    return typeof version === 'string' ? version : null;
  } catch {
    return null; // Only a hint is lost: the compiler's version is checked before use.
  }
}

async function listFolder(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isAbsent(error)) return [];
    throw new Error(`Folder of compilers ${folder} cannot be read: ${(error as Error).message}`);
  }
}

/** The folders in which packages are looked up, from here upwards. */
function moduleFolders(): string[] {
  return createRequire(import.meta.url).resolve.paths('solc') ?? [];
}

function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
