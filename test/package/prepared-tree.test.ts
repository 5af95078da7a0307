// A tree that one user has prepared and another one starts: what is installed can be read by all, and what a user may
// not use is said in one line.
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const other = { uid: 65_534, gid: 65_534 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prepared-tree-'));
  chmodSync(folder, 0o755);
  cpSync(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true });
  // One package, which lies beside: no registry is asked.
  mkdirSync(join(folder, 'tiny'));
  writeFileSync(join(folder, 'tiny/package.json'), '{ "name": "tiny", "version": "1.0.0" }');
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "dependencies": { "tiny": "file:tiny" } }');
  const packages = {
    '': { dependencies: { tiny: 'file:tiny' } },
    'node_modules/tiny': { resolved: 'tiny', link: true },
    tiny: { version: '1.0.0' },
  };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** @param user null = the one who runs this test */
function run(script: string, args: string[], user: typeof other | null, umask = '022') {
  const command = [
    '-c',
    'umask "$1"; shift; exec "$@"',
    'sh',
    umask,
    process.execPath,
    join('scripts', script),
    ...args,
  ];
  const { status, stdout, stderr } = spawnSync('/bin/sh', command, { cwd: folder, encoding: 'utf8', ...user });
  return { status, said: `${stdout}${stderr}`.trim() };
}

test.skipIf(process.platform === 'win32')('what is prepared with a private umask can be read by all', () => {
  expect(run('prepare.mjs', [], null, '077')).toMatchObject({ status: 0 });
  expect(statSync(join(folder, 'node_modules')).mode & 0o777).toBe(0o755);
  expect(statSync(join(folder, 'node_modules/.package-lock.json')).mode & 0o777).toBe(0o644);
});

test.skipIf(process.getuid?.() !== 0)('another user starts what root has prepared', () => {
  expect(run('prepare.mjs', [], null, '077').status).toBe(0);
  expect(run('prepare.mjs', [], other)).toEqual({ status: 0, said: '' });
});

test.skipIf(process.getuid?.() !== 0).each([
  ['prepare.mjs', [], 'may not use'],
  ['ledger-mirror.mjs', ['start'], 'may not use'],
])('%s says in one line what it may not read', (script, args, deed) => {
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{ "packages": {} }');
  chmodSync(join(folder, 'node_modules'), 0o700);
  const { status, said } = run(script, args, other);
  expect(status).toBe(1);
  expect(said.split('\n')).toEqual([expect.stringContaining(`The user nobody ${deed} `)]);
  expect(said).toMatch(/node_modules.*\(EACCES\)\. Run "node scripts\/prepare\.mjs" once in .*prepared-tree-/);
});

test.skipIf(process.getuid?.() !== 0)('it says in one line where it may not write', () => {
  const { status, said } = run('prepare.mjs', [], other);
  expect(status).toBe(1);
  expect(said.split('\n')).toEqual([
    expect.stringMatching(/^The user nobody may not use .*prepared-tree-.* \(EACCES\)\./),
  ]);
  // As its owner it can.
  chownSync(folder, other.uid, other.gid);
  expect(run('prepare.mjs', [], other).status).toBe(0);
});
