// Installs the packages of package-lock.json when one of them is missing or of another version.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './run-npm.mjs';
import { say } from './say.mjs';
import { assertWritable, isUsable, withAccess } from './tell-access.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param options.all also what only tests and checks need */
export function installPackages({ all }) {
  const isComplete = withAccess(() => {
    const isThere = isInstalled(all);
    // npm would say it in ten lines.
    if (!isThere) assertWritable(root);
    return isThere;
  });
  if (isComplete) return;
  say(`Installing packages (npm ci${all ? '' : ' --omit=dev'}) …`);
  runNpm(['ci', all ? '--include=dev' : '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error'], root);
}

/** npm writes down what it has installed, as its last step; so a plain `npm ci` of the user counts too. */
function isInstalled(all) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!isUsable(record, 'R_OK')) return false;
  const wanted = Object.entries(readPackages(join(root, 'package-lock.json')));
  const installed = readPackages(record);
  return wanted.every(([path, { version, resolved, dev, devOptional, optional }]) => {
    const found = installed[path];
    // Packages of other platforms are optional; the root and its workspaces lie here already, and are imported by path.
    if (!found) return isOurs(path, resolved) || optional || devOptional || (dev && !all);
    return found.version === version;
  });
}

function isOurs(path, resolved = '') {
  return path === '' || [path, resolved].some((place) => place.startsWith('packages/'));
}

function readPackages(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}
