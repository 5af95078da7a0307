// The commands as a user meets them first: help, wrong calls, `doctor`, `migrate`. Exit codes: 0 done, 1 failed, 2 called
// wrongly.
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandNames } from '../../src/runtime/settings/setting.ts';
import { schemaVersion } from '../../src/store/schema/migrate.ts';
import { runMirror } from '../support/run-mirror.ts';
import { createScratchDatabase } from '../support/scratch-database.ts';

// Each starts programs of their own, which take their time on a machine that does other things too.
vi.setConfig({ testTimeout: 180_000 });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  writeFileSync(join(folder, 'list.json'), '[]');
  writeFileSync(join(folder, 'unknown.json'), '{ "prot": 5551 }');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], env: Record<string, string> = {}) {
  const mirror = runMirror(args, { env, cwd: folder });
  return { code: await mirror.ended, output: mirror.output() };
}

test('--help lists every command', async () => {
  const { code, output } = await run(['--help']);
  expect(code).toBe(0);
  for (const name of commandNames) expect(output).toMatch(new RegExp(`^ {2}${name} {2,}\\S`, 'm'));
});

test.each(commandNames)('%s --help: what it does, an example, its settings', async (name) => {
  const { code, output } = await run([name, '--help']);
  expect(code).toBe(0);
  expect(output).toMatch(new RegExp(`^Usage: ledger-mirror ${name} `));
  expect(output).toMatch(new RegExp(`ledger-mirror ${name}( |$)`, 'm'));
  expect(output).toContain('  --log-level ');
});

const wrongCalls: [args: string, says: RegExp, env?: Record<string, string>][] = [
  ['', /Usage: ledger-mirror <command>/],
  ['strat', /unknown command "strat".*--help/],
  ['start --prot 1', /--prot.*"ledger-mirror start --help"/],
  ['start --port', /--port/],
  ['start --port 70000', /--port must be a whole number from 0 to 65535, not "70000"/],
  ['start --once', /--once has no meaning for "ledger-mirror start"/],
  ['serve --dialect french', /--dialect must be one of spec, hiero, not "french"/],
  ['start extra', /extra/],
  ['serve', /LEDGER_MIRROR_PORT must be a whole number/, { LEDGER_MIRROR_PORT: 'x' }],
  ['import --once', /needs --source/],
  ['verify --source .', /needs --address-book/],
  ['verify --source . --address-book ./none.bin', /address book \.\/none\.bin cannot be read/],
  ['doctor --config ./none.json', /none\.json cannot be read/],
  ['doctor --config ./list.json', /must hold one JSON object/],
  ['doctor --config ./unknown.json', /unknown setting "prot"/],
];

test.each(wrongCalls)('"%s" is refused with exit code 2', async (args, says, env) => {
  const { code, output } = await run(args.split(' ').filter(Boolean), env);
  expect([code, output]).toEqual([2, expect.stringMatching(says)]);
  // Never a stack of the program's own.
  expect(output).not.toContain('    at ');
});

test('doctor finds everything in order in an empty folder', async () => {
  const { code, output } = await run(['doctor', '--data-dir', './data', '--port', '0']);
  expect([code, output]).toEqual([0, expect.stringContaining('Everything is in order.')]);
  expect(output).toMatch(/^ok {5}database: embedded PostgreSQL 18\./m);
});

test('doctor says what is not in order, and what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const settings = ['--port', `${port}`, '--source', '.', '--address-book', './none.bin'];
  const { code, output } = await run(['doctor', ...settings], { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  taken.close();
  expect(code).toBe(1);
  expect(output).toMatch(/^FAILED database: .*ECONNREFUSED/m);
  expect(output).toMatch(new RegExp(`^FAILED port: 127.0.0.1:${port} EADDRINUSE. Stop what listens there`, 'm'));
  expect(output).toMatch(/^FAILED address book: .*none\.bin/m);
  expect(output).toMatch(/^FAILED source: /m);
  expect(output).toContain('4 of these must be put in order first.');
});

test.skipIf(!existsSync('/proc/self'))('doctor answers for a data folder where none can be made', async () => {
  const { code, output } = await run(['doctor', '--data-dir', '/proc/x', '--port', '0']);
  expect(code).toBe(1);
  expect(output).toMatch(/^FAILED data folder: .*--data-dir/m);
  expect(output).toMatch(/^FAILED database: The data folder \/proc\/x cannot be used.*--data-dir/m);
});

test.skipIf(!existsSync('/proc/self'))('network answers for a folder where none can be made', async () => {
  const { code, output } = await run(['network', '--output', '/proc/x', '--blocks', '1']);
  expect([code, output]).toEqual([1, expect.stringContaining('The folder /proc/x cannot be used for stream files: ')]);
});

test('migrate makes the schema, and again changes nothing', async () => {
  const { connectionString, close } = await createScratchDatabase({ empty: true });
  for (const says of [/Made the schema/, /has schema version/]) {
    const { code, output } = await run(['migrate'], { DATABASE_URL: connectionString });
    expect([code, output]).toEqual([0, expect.stringMatching(says)]);
    expect(output).toContain(`The database has schema version ${schemaVersion}.`);
  }
  await close();
});
