import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitMs } from '../../packages/test-support/timeouts.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { listPackage, makePackage, run } from './install-package.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'ledger mirror package-'));
let tarball: string;
beforeAll(() => {
  tarball = makePackage(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package has the program and its documents, and neither tests nor data', () => {
  const names = listPackage(tarball);
  expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'src/cli/main.js']));
  expect(names).toEqual(
    expect.arrayContaining(['packages/protocol/hapi/newer-fields.proto', 'scripts/ledger-mirror.mjs']),
  );
  const others = names.filter(
    (name) =>
      !/^(?:src|packages\/(?!test-support\/)[a-z-]+|clients\/verify-proof|scripts|docs|deploy|examples)\/|^(?:LICENSE|[A-Z]+\.md|package\.json)$/.test(
        name,
      ),
  );
  expect(others).toEqual([]);
  // What other programs read of the verifier for others has types.
  const own = names.filter((name) => !/^clients\/verify-proof\/[a-z-]+\.d\.ts$/.test(name));
  expect(own.filter((name) => /\.test\.|\.ts$|(?:^|\/)(?:test|bench|data|node_modules)\//.test(name))).toEqual([]);
});

/** As npm would put it: below node_modules, where Node takes no types out of sources. The path of the program. */
function unpack(): string {
  const modules = join(folder, 'node_modules');
  if (!existsSync(modules)) {
    mkdirSync(modules);
    run('tar', ['--extract', '--gzip', '--file', tarball, '--directory', modules], folder);
    symlinkSync(join(root, 'node_modules'), join(modules, 'package', 'node_modules'));
  }
  return join(modules, 'package', 'scripts', 'ledger-mirror.mjs');
}

test('it runs below node_modules, with its packages beside it', () => {
  const program = unpack();
  expect(run(process.execPath, [program, '--version'], folder)).toMatch(/^ledger-mirror \d+\.\d+\.\d+ \(Node 2\d/);
  expect(run(process.execPath, [program, '--help'], folder)).toContain('Run the mirror');
});

test('start answers in a folder with a space in its name, and Ctrl-C ends it', async () => {
  chmodSync(folder, 0o755);
  // A terminal sends the signal to every process of the command.
  const mirror = runMirror(['start', '--port', '0'], { script: unpack(), cwd: folder, detached: true });
  const [, url] = await mirror.says(/Answering on (http:\S+)/);
  const blocks = async (): Promise<unknown[]> => {
    const answer = await fetch(`${url}api/v1/blocks`);
    return ((await answer.json()) as { blocks: unknown[] }).blocks;
  };
  await expect.poll(blocks, { timeout: waitMs }).not.toEqual([]);
  process.kill(-mirror.child.pid!, 'SIGINT');
  expect(await mirror.ended).toBe(0);
});
