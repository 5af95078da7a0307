// pack-package.mjs <name> [--output <folder>]: makes an npm package of a folder of packages/, for programs that want
// that part alone. It has the folder's sources as JavaScript with declarations, in their places, and what they import
// of other packages; it depends on what these import from npm. Prints the tarball's path.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installRuntime } from './install-runtime.mjs';
import { runNpm } from './run-npm.mjs';
import { isNodeRecent, runtimeNode } from './runtime.mjs';
import { toJavaScript, withJavaScriptNames } from './to-javascript.mjs';

if (!isNodeRecent()) {
  installRuntime();
  execFileSync(runtimeNode(), process.argv.slice(1), { stdio: 'inherit' });
  process.exit();
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const startedIn = process.cwd();
process.chdir(root);
// Node says of each use that taking types out may still change.
process.removeAllListeners('warning');
const { values, positionals } = parseArgs({
  options: { output: { type: 'string', default: '.' } },
  allowPositionals: true,
});
const [name] = positionals;
const known = fs.globSync('packages/*/README.md').map((path) => path.split(/[\\/]/)[1]);
if (!known.includes(name)) {
  console.error(
    `Usage: pack-package.mjs <name> [--output <folder>], where <name> is one of ${known.sort().join(', ')}`,
  );
  process.exit(2);
}

const output = resolve(startedIn, values.output);
const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-pack-'));
try {
  const { version, license, dependencies: versions } = readJson('package.json');
  const own = readJson('packages', name, 'package.json');
  const { files, imported } = collect(`packages/${name}`);
  writeDeclarations(files.filter((path) => path.endsWith('.ts')));
  for (const path of files) writeSource(path);
  for (const file of ['README.md', ...fs.globSync('examples/**', { cwd: join('packages', name) })]) {
    cpSync(join('packages', name, file), join(folder, file), { recursive: true });
  }
  cpSync('LICENSE', join(folder, 'LICENSE'));
  const face = `./${posix.join('packages', name, own.exports)}`;
  const manifest = {
    ...{ name: own.name, version, description: own.description, license, type: 'module', engines: { node: '>=24' } },
    exports: {
      '.': { types: face.replace(/\.ts$/, '.d.ts'), default: face.replace(/\.ts$/, '.js') },
      './*': './*',
    },
    dependencies: Object.fromEntries(
      [...new Set([...imported, ...Object.keys(own.dependencies ?? {})])]
        .sort()
        .map((other) => [other, versions[other]]),
    ),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(output, { recursive: true });
  runNpm(['pack', '--pack-destination', output, '--loglevel=error'], folder);
  console.log(join(output, `${own.name.replace('@', '').replace('/', '-')}-${version}.tgz`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Files of a folder, and all that they name of other packages; what they import from npm. */
function collect(start) {
  const waiting = fs
    .globSync(`${start}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.ts$|^package\.json$|^README\.md$/.test(entry.name))
    .map((entry) => posix.normalize(join(entry.parentPath, entry.name).replaceAll('\\', '/')))
    .map((path) => (path.startsWith('/') ? posix.relative(root, path) : path))
    .filter((path) => !path.startsWith(`${start}/examples/`) && !path.includes('/node_modules/'));
  const files = new Set();
  const imported = new Set();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue;
    files.add(path);
    if (!/\.[jt]s$/.test(path)) continue;
    const text = readFileSync(path, 'utf8');
    for (const [, named] of text.matchAll(
      /(?:\bfrom|\bimport\s*\(|\bimport|new URL\(|import\.meta\.url\)\()\s*'([^'\n]+)'/g,
    )) {
      if (named.startsWith('node:')) continue;
      if (named.startsWith('.')) waiting.push(...present(posix.join(posix.dirname(path), named)));
      else imported.add(/^(@[^/]+\/)?[^/]+/.exec(named)[0]);
    }
  }
  return { files: [...files].sort(), imported };
}

/** A file, or all files of a folder. */
function present(path) {
  return fs
    .globSync([path, `${path}/**/*`], { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) =>
      posix.relative(root.replaceAll('\\', '/'), resolve(entry.parentPath, entry.name).replaceAll('\\', '/')),
    );
}

function writeDeclarations(paths) {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--incremental', 'false'];
  const config = join(folder, 'tsconfig.json');
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { rootDir: root, outDir: folder, typeRoots: [join(root, 'node_modules/@types')] },
      include: [],
      files: paths.map((path) => join(root, path)),
    }),
  );
  execFileSync(process.execPath, ['node_modules/typescript-native/bin/tsc', '-p', config, ...options], {
    stdio: ['ignore', 2, 2],
  });
  rmSync(config);
  for (const path of fs.globSync('packages/**/*.d.ts', { cwd: folder })) {
    const target = join(folder, path);
    writeFileSync(target, withJavaScriptNames(readFileSync(target, 'utf8')));
  }
}

function writeSource(path) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  if (!path.endsWith('.ts')) return cpSync(path, target);
  writeFileSync(target.replace(/\.ts$/, '.js'), toJavaScript(readFileSync(path, 'utf8')));
}

function readJson(...path) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}
