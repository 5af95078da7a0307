// The first program of each package's README, as it stands there, beside the package that scripts/pack-package.mjs makes.
// What it depends on is installed above its folder: contracts are checked by processes that may read no link to elsewhere.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from './install-package.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'packages of README-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the program prints, from its beginning on. */
const printed: [name: string, text: RegExp][] = [
  ['machine', /^SUCCESS 42 21022\n$/],
  ['proof', /^verified\n$/],
  ['status', /^http:\/\/127\.0\.0\.1:5560\/status\n$/],
  ['streams', /^Block 3\n\d{19}n [A-Z]+\n {2}0\.0\.\d+ -?\d+\n/],
  ['verification', /^perfect Runtime code: perfect match/],
];

test.each(printed)('the first program of %s', async (name, text) => {
  const { place, program } = install(name);
  const child = spawn(process.execPath, [program], { cwd: place, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    expect(await readOutput(child, text)).toMatch(text);
  } finally {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});

test('each package that has a README is among them', () => {
  const list = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).files as string[];
  const described = list.filter((path) => path.startsWith('packages/') && existsSync(join(root, path, 'README.md')));
  expect(described).toEqual(printed.map(([name]) => `packages/${name}`));
});

/** Ends when the text is there, or with the program. */
async function readOutput({ stdout }: ChildProcess, text: RegExp): Promise<string> {
  let output = '';
  for await (const part of stdout!.setEncoding('utf8')) {
    output += part;
    if (text.test(output)) break;
  }
  return output;
}

function install(name: string): { place: string; program: string } {
  const place = join(folder, name);
  const modules = join(place, 'node_modules');
  const own = join(modules, '@ledger-mirror', name);
  mkdirSync(own, { recursive: true });
  const pack = [join(root, 'scripts/pack-package.mjs'), name, '--output', place];
  const tarball = run(process.execPath, pack, place).trim().split('\n').at(-1)!;
  run('tar', ['--extract', '--gzip', '--strip-components=1', '--file', tarball, '--directory', own], place);
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  for (const other of Object.keys(dependencies)) expect(existsSync(join(root, 'node_modules', other))).toBe(true);
  const program = join(place, 'first.mjs');
  writeFileSync(program, /```js\n([\s\S]*?)```/.exec(readFileSync(join(own, 'README.md'), 'utf8'))![1]!);
  return { place, program };
}
