// pack.mjs [--output <folder>]: makes the npm package. Node does not take types out of what lies below node_modules, so
// the package has the sources as JavaScript in their places; everything else is as in the repository. Workspaces among
// `files` of package.json become folders of the one package, which then depends on what they depend on. Prints the
// tarball's path. It needs no package: Node 24 takes the types out.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installRuntime } from './install-runtime.mjs';
import { runNpm } from './run-npm.mjs';
import { isNodeRecent, runtimeNode } from './runtime.mjs';
import { toJavaScript } from './to-javascript.mjs';

if (!isNodeRecent()) {
  installRuntime();
  execFileSync(runtimeNode(), process.argv.slice(1), { stdio: 'inherit' });
  process.exit();
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// Node says of each use that it may still change.
process.removeAllListeners('warning');
const manifest = readManifest();
const workspaces = manifest.files.filter((path) => path.startsWith('packages/'));
const sources = ['src', ...workspaces];
/** npm packs these always. */
const always = ['README.md', 'LICENSE'];

const { values } = parseArgs({ options: { output: { type: 'string', default: '.' } } });
const output = resolve(values.output);
const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-pack-'));
try {
  for (const path of [...always, ...manifest.files.filter((path) => !sources.includes(path))])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of sources.flatMap(sourceFiles)) writeSource(path);
  for (const path of workspaces) Object.assign(manifest.dependencies, readJson(path, 'package.json').dependencies);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(output, { recursive: true });
  runNpm(['pack', '--pack-destination', output, '--loglevel=error'], folder);
  const { name, version } = manifest;
  console.log(join(output, `${name}-${version}.tgz`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function sourceFiles(path) {
  const entries = readdirSync(join(root, path), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .filter(({ name }) => !name.endsWith('.test.ts') && name !== 'package.json')
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function writeSource(path) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  if (!path.endsWith('.ts')) return cpSync(join(root, path), target);
  writeFileSync(target.replace(/\.ts$/, '.js'), toJavaScript(readFileSync(join(root, path), 'utf8')));
}

function readManifest() {
  const { devDependencies, overrides, scripts, workspaces, private: isPrivate, ...others } = readJson('package.json');
  return others;
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(root, ...path), 'utf8'));
}
