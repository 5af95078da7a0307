import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listPackage, makePackage, run } from './install-package.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'ledger-mirror-package-'));
let tarball: string;
beforeAll(() => {
  tarball = makePackage(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package has the program and its documents, and neither tests nor data', () => {
  const names = listPackage(tarball);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'src/cli/main.js']));
  expect(names).toEqual(expect.arrayContaining(['src/protocol/hapi/newer-fields.proto', 'scripts/ledger-mirror.mjs']));
  const others = names.filter(
    (name) => !/^(?:src|scripts|docs|deploy)\/|^(?:LICENSE|[A-Z]+\.md|package\.json)$/.test(name),
  );
  expect(others).toEqual([]);
  expect(names.filter((name) => /\.test\.|\.ts$|(?:^|\/)(?:test|bench|data|node_modules)\//.test(name))).toEqual([]);
});

// As npm would put it: below node_modules, where Node takes no types out of sources.
test('it runs below node_modules, with its packages beside it', () => {
  const modules = join(folder, 'node_modules');
  run('mkdir', ['-p', modules], folder);
  run('tar', ['--extract', '--gzip', '--file', tarball, '--directory', modules], folder);
  symlinkSync(join(root, 'node_modules'), join(modules, 'package', 'node_modules'));
  const program = join(modules, 'package', 'scripts', 'ledger-mirror.mjs');
  expect(run(process.execPath, [program, '--version'], folder)).toMatch(/^ledger-mirror \d+\.\d+\.\d+ \(Node 2\d/);
  expect(run(process.execPath, [program, '--help'], folder)).toContain('Run the mirror');
});
