// Installs a client beside the repository, in a separate folder, so that nothing of it becomes a dependency here.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Imports a package from the folder in which the client is installed, or `./…`, a file of the client's own package. */
export type LoadModule = <Module>(specifier: string) => Promise<Module>;

export type InstalledClient = { load: LoadModule } | { skipped: string };

type InstalledPackage = {
  packageName: string;
  version: string;
  /** Versions of its dependencies, where its own are not in the registry. */
  overrides?: Record<string, string>;
  /** Further packages, with their versions. */
  beside?: readonly string[];
};

const installTimeoutMs = 300_000;

/** `folder` is made, and kept by the caller: installed again, it costs a second. No script of a package is run. */
export async function installClient(client: InstalledPackage, folder: string): Promise<InstalledClient> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', overrides: client.overrides }),
  );
  const npm = spawn(
    'npm',
    [
      ...['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'],
      `${client.packageName}@${client.version}`,
      ...(client.beside ?? []),
    ],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: installTimeoutMs,
      shell: process.platform === 'win32',
    },
  );
  const startedAt = performance.now();
  let npmErrors = '';
  npm.stderr.setEncoding('utf8').on('data', (text: string) => {
    npmErrors += text;
  });
  const [code] = await once(npm, 'close');
  // npm may take the signal and exit with its own code.
  if (code !== 0 && performance.now() - startedAt >= installTimeoutMs)
    return { skipped: `its installation took longer than ${installTimeoutMs / 1000} s` };
  if (code !== 0) {
    const reason = npmErrors.split('\n').find((line) => /No matching|not found|E\w+/.test(line) && !/code /.test(line));
    return { skipped: `npm cannot install it (${(reason ?? npmErrors).replace(/^npm error (\w+ )?/, '').trim()})` };
  }
  const require = createRequire(join(folder, 'package.json'));
  const resolve = (specifier: string) =>
    specifier.startsWith('./')
      ? join(folder, 'node_modules', client.packageName, specifier)
      : require.resolve(specifier);
  return {
    load: async <Module>(specifier: string) => (await import(pathToFileURL(resolve(specifier)).href)) as Module,
  };
}
