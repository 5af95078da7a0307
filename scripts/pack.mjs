// pack.mjs [--output <folder>]: makes the npm package. Node does not take types out of what lies below node_modules, so the
// package has the sources as JavaScript in their places; everything else is as in the repository. Prints the tarball's path.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import typescript from 'typescript';
import { runNpm } from './run-npm.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Beside the sources: the launcher with what it needs, and what people read. */
const copied = [
  ...['ledger-mirror', 'run', 'runtime', 'install-runtime', 'run-npm', 'say', 'watch-npm'].map(
    (name) => `scripts/${name}.mjs`,
  ),
  ...['README.md', 'CHANGELOG.md', 'LICENSE', 'docs', 'deploy'],
];

const { values } = parseArgs({ options: { output: { type: 'string', default: '.' } } });
const output = resolve(values.output);
const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-pack-'));
try {
  for (const path of copied) cpSync(join(root, path), join(folder, path), { recursive: true });
  for (const path of sourceFiles()) writeSource(path);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageManifest(), null, 2)}\n`);
  mkdirSync(output, { recursive: true });
  runNpm(['pack', '--pack-destination', output, '--loglevel=error'], folder);
  const { name, version } = packageManifest();
  console.log(join(output, `${name}-${version}.tgz`));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function sourceFiles() {
  const entries = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

function writeSource(path) {
  const target = join(folder, path);
  mkdirSync(dirname(target), { recursive: true });
  if (!path.endsWith('.ts')) return cpSync(join(root, path), target);
  const { outputText } = typescript.transpileModule(readFileSync(join(root, path), 'utf8'), {
    fileName: path,
    compilerOptions: {
      target: typescript.ScriptTarget.ES2024,
      module: typescript.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      rewriteRelativeImportExtensions: true,
    },
  });
  writeFileSync(target.replace(/\.ts$/, '.js'), outputText);
}

function packageManifest() {
  const {
    devDependencies,
    overrides,
    scripts,
    private: isPrivate,
    ...manifest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return manifest;
}
