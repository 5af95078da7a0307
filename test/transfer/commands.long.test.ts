// The commands, as users run them: into the embedded PostgreSQL, and what is refused.

import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runHere } from '../support/program/run-here.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

// Programs and servers are started.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'transfer-commands-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  await writeNetwork({ folder: at('streams'), seed: 'commands', blocks: 12 });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...args: string[]): Promise<{ code: number | null; output: string }> {
  const { ended, output } = runMirror(args);
  return { code: await ended, output: output() };
}

const source = () => [
  '--source',
  at('streams'),
  '--address-book',
  at('streams', 'addressbook.bin'),
  '--network',
  'demo',
];
const importOnce = (data: string) => run('import', '--once', '--data-dir', at(data), ...source());

test('a mirror is exported, and another goes on from its state', async () => {
  expect(await importOnce('one')).toMatchObject({ code: 0 });
  const exported = await run('export', '--to', at('export'), '--data-dir', at('one'));
  expect(exported).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Exported block 11 and all before it: \d+ files/m),
  });
  const plan = await run('bootstrap', '--from', at('export'), '--dry-run', '--data-dir', at('two'));
  expect(plan.output).toContain('The export is of the network demo.');
  expect(plan.output).not.toContain('The network has no name');
  expect(plan).toMatchObject({ code: 0, output: expect.stringContaining('the state without its past is loaded: ') });
  expect(
    await run('bootstrap', '--from', at('export'), '--network', 'testnet', '--data-dir', at('three')),
  ).toMatchObject({
    code: 2,
    output: expect.stringContaining(
      'This export is for the network demo, not for --network testnet. Leave --network out',
    ),
  });
  expect(plan.output).toMatch(
    /^By the first rows of the largest tables the database takes about .* are free, and the load about /m,
  );
  const loaded = await run('bootstrap', '--from', at('export'), '--data-dir', at('two'), ...source());
  expect(loaded.output).toMatch(/^ok {6}signed stream: \S+ of \S+ has the same hash, and its signatures hold\.$/m);
  expect(loaded.output).toContain('The import goes on from the next block');
  expect(loaded.output).toMatch(
    /^ok {6}hbar supply: All balances together are 5000000000000000000 tinybars, as they must be\.$/m,
  );
  expect(loaded.code).toBe(0);
  await writeNetwork({ folder: at('streams'), seed: 'commands', blocks: 3 });
  const next = await run('import', '--once', '--data-dir', at('two'), '--source', at('streams'));
  expect(next).toMatchObject({ code: 0, output: expect.stringMatching(/^Imported 3 blocks/m) });
  const doctor = await run('doctor', '--data-dir', at('two'));
  expect(doctor.output).toContain(`It was filled from the export ${at('export')} (version `);
  expect(next.output).toContain('Older transactions, blocks and histories were dropped; state is complete.');
});

test('a mirror that runs is exported beside it, and the one that begins with that is of the same network', async () => {
  const titleOf = async ({ says }: RunningMirror) => {
    const [, url] = await says(/Answering on (\S+)/);
    return /<title>(.*?)<\/title>/.exec(await (await fetch(url!)).text())![1];
  };
  const demo = runMirror(['start', '--port', '0', '--status-service', 'off', '--data-dir', at('demo')]);
  await demo.says(/^block \d+/m);
  const exported = await run('export', '--to', at('of-demo'), '--data-dir', at('demo'));
  expect(exported.output).not.toMatch(/ is in use |warn/);
  expect(exported).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Exported block .* of the network demo\.$/m),
  });
  // Nobody stopped it, and its PostgreSQL answers.
  expect(await titleOf(demo)).toContain('demo');
  const loaded = await run('bootstrap', '--from', at('of-demo'), '--data-dir', at('from-demo'));
  expect(loaded).toMatchObject({ code: 0, output: expect.not.stringContaining('The network has no name') });
  const other = runMirror(['serve', '--port', '0', '--status-service', 'off', '--data-dir', at('from-demo')]);
  expect(await titleOf(other)).toBe(await titleOf(demo));
  for (const mirror of [demo, other]) mirror.child.kill('SIGTERM');
  expect([await demo.ended, await other.ended]).toEqual([0, 0]);
});

test.each([['--state'], ['--full'], ['--since', '2026-01-01']])(
  'an export without a table of state is refused before anything is made, by %s and with --dry-run',
  async (...mode) => {
    const place = mkdtempSync(at('lacking-'));
    cpSync(at('export'), place, { recursive: true });
    rmSync(join(place, 'entity.csv.gz'));
    const manifest = readFileSync(join(place, 'manifest.csv'), 'utf8');
    writeFileSync(join(place, 'manifest.csv'), manifest.replace(/^entity\.csv\.gz,.*\n/m, ''));
    for (const more of [[], ['--dry-run']]) {
      const refused = await runHere(['bootstrap', '--from', place, ...mode, ...more, '--data-dir', at('five')]);
      expect(refused.code).toBe(1);
      expect(refused.output).toMatch(/: The export in \S+ lacks tables of state: entity\. .*; nothing was loaded\./);
    }
    expect(existsSync(at('five'))).toBe(false);
  },
);

test('--dry-run names files that the manifest has and the place has not', async () => {
  const place = mkdtempSync(at('away-'));
  cpSync(at('export'), place, { recursive: true });
  rmSync(join(place, 'token.csv.gz'));
  const plan = await runHere(['bootstrap', '--from', place, '--dry-run', '--data-dir', at('six')]);
  expect(plan).toMatchObject({
    code: 1,
    output: expect.stringContaining('1 file cannot be loaded:\n  token: the manifest names it, and it is not there\n'),
  });
});

test('a file that is damaged is named, the import waits, and the same command loads what is left', async () => {
  const manifest = readFileSync(at('export', 'manifest.csv'), 'utf8');
  writeFileSync(
    at('export', 'manifest.csv'),
    manifest.replace(/^(token\.csv\.gz,\d+,\d+,).{64}$/m, `$1${'0'.repeat(64)}`),
  );
  const args = ['--from', at('export'), '--full', '--network', 'demo', '--data-dir', at('four')];
  const broken = await run('bootstrap', ...args);
  expect(broken).toMatchObject({
    code: 1,
    output: expect.stringMatching(/token: its BLAKE3 hash is [0-9a-f]{64}, the manifest says 0{64}/),
  });
  expect(await importOnce('four')).toMatchObject({
    code: 2,
    output: expect.stringContaining('This database is filled in part from the export in '),
  });
  writeFileSync(at('export', 'manifest.csv'), manifest);
  const repaired = await run('bootstrap', ...args);
  expect(repaired).toMatchObject({ code: 0, output: expect.stringMatching(/Going on: \d+ of \d+ files are loaded/) });
});

test.each([
  [[], '--from <folder|s3://...|gs://...> is needed'],
  [['--from', 'ftp://x/y'], '--from: ftp://x/y is a URL of another kind'],
  [['--from', '/nowhere/at/all'], '/nowhere/at/all does not exist'],
  [['--from', '.', '--state', '--full'], 'only one can be chosen'],
  [['--from', '.', '--since', 'yesterday'], '--since must be a day such as 2026-01-31'],
])('bootstrap %j is refused', async (args, reason) => {
  const { code, output } = await runHere(['bootstrap', ...args, '--data-dir', at('none')]);
  expect(output).toContain(reason);
  expect(code).not.toBe(0);
});
