// The commands as a user meets them first: help, wrong calls, `doctor`, `migrate`. Exit codes: 0 done, 1 failed, 2
// called wrongly.
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schemaVersion } from '../../packages/schema/migration/migrate.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { formatCommandHelp } from '../../src/cli/format-help.ts';
import { loadCommand } from '../../src/cli/load-command.ts';
import { type CommandName, commandNames } from '../../src/runtime/settings/families/commands.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';

let folder: string;
/** Beside it, so that it holds no stream files. */
let streamsFolder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'commands-'));
  streamsFolder = mkdtempSync(join(tmpdir(), 'commands-streams-'));
  chmodSync(streamsFolder, 0o711);
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  writeFileSync(join(folder, 'list.json'), '[]');
  const node = join(folder, '.signed/recordstreams/record0.0.3');
  mkdirSync(node, { recursive: true });
  for (const ending of ['rcd', 'rcd_sig']) writeFileSync(join(node, `2026-11-22T00_00_00.000000001Z.${ending}`), '');
  writeFileSync(join(folder, 'unknown.json'), '{ "prot": 5551 }');
});
afterAll(() => {
  for (const path of [folder, streamsFolder]) rmSync(path, { recursive: true, force: true });
});

async function run(args: string[], env: Record<string, string> = {}) {
  const mirror = runMirror(args, { env, cwd: folder });
  return { code: await mirror.ended, output: mirror.output() };
}

test('--help lists every command', async () => {
  const { code, output } = await run(['--help']);
  expect(code).toBe(0);
  for (const name of commandNames) expect(output).toMatch(new RegExp(`^ {2}${name} {2,}\\S`, 'm'));
});

test('--help of a command shows its text', async () => {
  const { code, output } = await run(['verify', '--help']);
  expect(code).toBe(0);
  expect(output).toBe(`${await helpOf('verify', output)}\n`);
});

/** As the program that was called so shows it. */
async function helpOf(name: CommandName, shown = 'Usage: node main.ts '): Promise<string> {
  const [, program = ''] = /^Usage: (node .*main\.ts"?) /.exec(shown) ?? [];
  return formatCommandHelp((await loadCommand(name))!, { program, width: 80 });
}

test.each(commandNames)('%s --help: what it does, an example, its settings', async (name) => {
  const output = await helpOf(name);
  expect(output).toMatch(new RegExp(`^Usage: node .*main.ts"? ${name} `));
  expect(output).toMatch(new RegExp(`^ {2}node .*main.ts"? ${name}( |$)`, 'm'));
  expect(output).toContain('  --log-level ');
  // What can be copied stays on one line; everything else fits a terminal.
  const prose = output.split('\n').filter((line) => !line.includes('main.ts') && !line.startsWith('    --'));
  expect(prose.filter((line) => line.length > 80)).toEqual([]);
});

test('the launcher names the program as it was called', async () => {
  const script = fileURLToPath(new URL('../../scripts/ledger-mirror.mjs', import.meta.url));
  const mirror = runMirror(['verify', '--help'], { script, cwd: fileURLToPath(new URL('../..', import.meta.url)) });
  expect([await mirror.ended, mirror.output()]).toEqual([
    0,
    expect.stringMatching(/^ {2}node scripts\/ledger-mirror\.mjs verify --source/m),
  ]);
});

test('--version tells it', async () => {
  const { code, output } = await run(['--version']);
  expect([code, output]).toEqual([0, expect.stringMatching(/^ledger-mirror \d+\.\d+\.\d+ \(Node 2\d\./)]);
});

test('the examples of the help texts run when they are copied, one after the other', async () => {
  const place = mkdtempSync(join(streamsFolder, 'examples-'));
  chmodSync(place, 0o711);
  const seen = new Set<string>();
  for (const name of ['verify', 'import', 'migrate', 'doctor'] as const) {
    const output = await helpOf(name);
    for (const [, args] of output.matchAll(/^ {2}node .*main\.ts"? (.*)$/gm)) {
      if (seen.has(args!)) continue;
      seen.add(args!);
      const words = name === 'doctor' ? `${args} --port 0` : args!;
      const mirror = runMirror(words.split(' '), { cwd: place });
      expect([args, await mirror.ended, mirror.output()]).toEqual([args, 0, expect.anything()]);
    }
  }
  expect(seen.size).toBe(5);
});

type WrongCall = [args: string, says: RegExp, env?: Record<string, string>];

/** Each is refused at another place: without a command, by name, by its flags, its file of settings, its work. */
const refusedByProgram: WrongCall[] = [
  ['', /Usage: node .*main\.ts"? <command>/],
  ['strat', /unknown command "strat".*--help/],
  ['start --prot 1', /--prot.*"ledger-mirror start --help"/],
  ['doctor --config ./unknown.json', /unknown setting "prot"/],
  ['import --source ./.signed', /A new database needs --address-book <file> for the record files in \.\/\.signed/],
];

const wrongCalls: WrongCall[] = [
  ['start --port', /--port/],
  ['start --port 70000', /--port must be a whole number from 0 to 65535, not "70000"/],
  ['start --once', /^ledger-mirror start: --once has no meaning for this command\. /],
  ['serve --dialect french', /--dialect must be one of spec, hiero, not "french"/],
  ['start extra', /extra/],
  ['serve', /LEDGER_MIRROR_PORT must be a whole number/, { LEDGER_MIRROR_PORT: 'x' }],
  ['import --once', /^ledger-mirror import: --source <folder> is needed$/m],
  ['verify --source grpc://', /grpc:\/\/ is no address of a block node; write grpc:\/\/<host>:40840/],
  ['verify --source . --address-book ./none.bin', /address book \.\/none\.bin cannot be read/],
  ['start --source ./nowhere', /--source \.\/nowhere is no folder/],
  ['start --source https://bucket/streams', /is a URL of another kind; stream files come from folders, buckets/],
  ['import --source . --address-book ./list.json', /address book \.\/list\.json cannot be read/],
  ['start', /DATABASE_URL must be a URL such as postgres:/, { DATABASE_URL: 'localhost/mirror' }],
  ['doctor --config ./none.json', /none\.json cannot be read/],
  ['doctor --config ./list.json', /must hold one JSON object/],
];

function expectRefused({ code, output }: { code: number | null; output: string }, says: RegExp): void {
  expect([code, output]).toEqual([2, expect.stringMatching(says)]);
  // Never a stack of the program's own, nor a database that nobody can use.
  expect(output).not.toContain('    at ');
  expect(existsSync(join(folder, 'data'))).toBe(false);
}

const wordsOf = (args: string): string[] => args.split(' ').filter(Boolean);

test.each(refusedByProgram)('"%s" is refused with exit code 2', async (args, says) => {
  expectRefused(await run(wordsOf(args)), says);
});

test.each(wrongCalls)('"%s" is refused', async (args, says, env) => {
  expectRefused(await runHere(wordsOf(args), { env, cwd: folder }), says);
});

test('a port that is taken is told before a database is made', async () => {
  // One that answers will stay: no mirror that is ending is waited for.
  const taken = createHttpServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { code, output } = await run(['start', '--port', `${port}`, '--data-dir', './untouched']);
  taken.close();
  expect([code, output]).toEqual([1, expect.stringContaining(`127.0.0.1:${port} is taken by another program.`)]);
  expect(existsSync(join(folder, 'untouched'))).toBe(false);
});

test('verify | head ends quietly', async () => {
  const streams = join(streamsFolder, 'piped');
  await writeNetwork({ folder: streams, seed: 'piped', blocks: 5 });
  const args = ['verify', '--source', streams, '--address-book', join(streams, 'addressbook.bin')];
  const mirror = runMirror(args, { cwd: folder });
  // Before it writes: whatever the speed, nothing reads any of it.
  mirror.child.stdout!.destroy();
  expect(await mirror.ended).toBe(141);
  expect(mirror.output()).not.toMatch(/EPIPE|Error|stopping| {4}at /);
});

test('--log-format json: every line is JSON, of results, progress, refusals and warnings too', async () => {
  const streams = join(streamsFolder, 'as-json');
  const format = ['--log-format', 'json'];
  const network = await run(['network', '--output', streams, '--blocks', '5', '--block-interval', '0', ...format]);
  const files = ['--source', streams, '--address-book', join(streams, 'addressbook.bin')];
  const { connectionString, close } = await createScratchDatabase({ empty: true });
  const imported = await run(['import', '--once', ...files, ...format], {
    DATABASE_URL: connectionString,
    NODE_OPTIONS: '--trace-deprecation --pending-deprecation',
  });
  await close();
  const refused = await run(['import', '--source', './nowhere', ...format]);
  const unknown = await run(['strat', ...format]);
  expect([network.code, imported.code, refused.code, unknown.code]).toEqual([0, 0, 2, 2]);
  for (const { output } of [network, imported, refused, unknown]) {
    const lines = output.trimEnd().split('\n');
    expect(lines.map((line) => Object.keys(JSON.parse(line)).slice(0, 2))).toEqual(lines.map(() => ['level', 'time']));
  }
  expect(imported.output).toContain('Imported 5 blocks');
});

test('doctor finds everything in order in an empty folder, and makes nothing there', async () => {
  const { code, output } = await run(['doctor', '--data-dir', './looked-at', '--port', '0']);
  expect(existsSync(join(folder, 'looked-at'))).toBe(false);
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
  expect(output).toMatch(
    new RegExp(
      `^FAILED port: 127.0.0.1:${port} is taken by another program \\(EADDRINUSE\\). Stop what listens there`,
      'm',
    ),
  );
  expect(output).toMatch(/^FAILED address book: .*none\.bin/m);
  expect(output).toMatch(/^FAILED source: /m);
  expect(output).toContain('4 of these must be fixed first.');
});

test.skipIf(!existsSync('/proc/self'))('doctor answers for a data folder where none can be made', async () => {
  const { code, output } = await run(['doctor', '--data-dir', '/proc/x', '--port', '0']);
  expect(code).toBe(1);
  expect(output).toMatch(/^FAILED data folder: .*--data-dir/m);
  expect(output).toMatch(/^FAILED database: \/proc keeps no files.*--data-dir/m);
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
