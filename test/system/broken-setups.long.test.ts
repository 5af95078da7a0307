// Set-ups that users get wrong, with a real PostgreSQL: `doctor` names the fault and what to do about it, in words of
// its own, and makes nothing.
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { migrate, schemaVersion } from '../../packages/schema/migration/migrate.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { examine, type Finding } from '../../src/runtime/doctor/examine.ts';
import { judgeServer } from '../../src/runtime/doctor/examine-server.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { freePort } from '../support/program/free-port.ts';
import { runHere } from '../support/program/run-here.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { importFolder } from '../support/tables/import-folder.ts';

const isRoot = process.getuid?.() === 0;
let folder: string;
let server: EmbeddedPostgres;
/** Ports: of a program that speaks HTTP, of one that never answers, and of nobody. */
let ports: { http: number; silent: number; free: number };
const listening: Server[] = [];
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'broken-setups-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(folder, 0o711);
  server = await startEmbeddedPostgres({ dataFolder: at('postgres-of-test'), durable: false });
  const books = await Promise.all(
    ['one', 'another'].map(
      async (seed) => (await writeNetwork({ folder: at(seed), seed, blocks: 2, ownKeys: true })).addressBook,
    ),
  );
  await run([
    ...['reader', 'part', 'full connection limit 0', `locked password 'right'`, 'barred', 'poor'].map(
      (role) => `create role ${role.replace(/ |$/, ' login ')}`,
    ),
    ...['filled', 'newer', 'blank', 'shut', 'others'].map((name) => `create database ${name}`),
    `create database latin encoding 'LATIN1' template template0`,
    'revoke connect on database shut from public',
  ]);
  await migrate({ connectionString: addressOf({ database: 'filled' }) });
  await importFolder(at('one'), books[0]!, addressOf({ database: 'filled' }));
  await migrate({ connectionString: addressOf({ database: 'newer' }) });
  await run(
    [`insert into ledger_mirror_schema (version, name) values (${schemaVersion + 1}, 'of the future')`],
    'newer',
  );
  await run(['create table invoices (id int8)'], 'others');
  await run(['grant select on all tables in schema public to part', 'revoke select on entity from part'], 'filled');
  await askForPassword();
  ports = {
    http: await listen(createHttpServer((_request, answer) => answer.end())),
    silent: await listen(createServer(() => {})),
    free: await freePort(),
  };
});

afterAll(async () => {
  for (const one of listening) one.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function listen(one: Server): Promise<number> {
  listening.push(one);
  await new Promise<void>((done) => one.listen(0, '127.0.0.1', done));
  return (one.address() as AddressInfo).port;
}

async function run(statements: readonly string[], database = 'mirror'): Promise<void> {
  const client = new pg.Client({ connectionString: addressOf({ database }) });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Of the test's PostgreSQL, through its socket. */
function addressOf({ role = 'mirror', password = '', database = 'mirror', port = '' }): string {
  const url = new URL(server.connectionString.replace('@/', '@socket/'));
  const query = new URLSearchParams(url.search);
  if (port !== '') query.set('port', port);
  return `postgresql://${role}${password && `:${password}`}@/${database}?${query}`;
}

/** The role `locked` has to say its password, `barred` is let in from nowhere. */
async function askForPassword(): Promise<void> {
  const file = at('postgres-of-test', 'postgres', 'pg_hba.conf');
  const rules = readFileSync(file, 'utf8');
  writeFileSync(file, `local all locked scram-sha-256\nlocal all barred reject\n${rules}`);
  await run(['select pg_reload_conf()']);
  await vi.waitUntil(async () => {
    const client = new pg.Client({ connectionString: addressOf({ role: 'barred' }) });
    const isRefused = await client.connect().then(
      () => false,
      () => true,
    );
    await client.end().catch(() => {});
    return isRefused;
  });
}

async function ask(name: string, url: string | null, flags: readonly string[] = []): Promise<Finding | null> {
  const argv = ['--data-dir', at('never'), ...flags];
  const settings = loadSettings('doctor', argv, url === null ? {} : { DATABASE_URL: url });
  for await (const finding of examine(settings, [name])) return finding;
  return null;
}

type Case = [name: string, url: () => string, found: RegExp, advice: RegExp, flags?: () => string[]];

const cases: Case[] = [
  [
    'a role that may not read the tables',
    () => addressOf({ role: 'reader', database: 'filled' }),
    /^the role reader may not read the tables of the database filled$/,
    /"ledger-mirror migrate --reader-role reader"/,
  ],
  [
    'the same with --read-only',
    () => addressOf({ role: 'reader', database: 'filled' }),
    /^the role reader may not read the tables of the database filled$/,
    /"ledger-mirror migrate --reader-role reader"/,
    () => ['--read-only'],
  ],
  [
    'a role that may read all tables but one',
    () => addressOf({ role: 'part', database: 'filled' }),
    /^the role part may not read entity of the database filled$/,
    /"ledger-mirror migrate --reader-role part"/,
  ],
  [
    'a role that may not make tables, and there are none',
    () => addressOf({ role: 'poor', database: 'blank' }),
    /^the database blank has no tables yet, and the role poor may not create them$/,
    /"ledger-mirror migrate" once with the owner/,
  ],
  [
    'a database with another encoding',
    () => addressOf({ database: 'latin' }),
    /^the database latin has the encoding LATIN1/,
    /encoding 'UTF8' template template0/,
  ],
  [
    'a database of another network than the address book',
    () => addressOf({ database: 'filled' }),
    /^the database is of another network, or of another moment, than the address book .*another.addressbook\.bin/,
    /Leave --address-book out.*DATABASE_URL/,
    () => ['--address-book', at('another', 'addressbook.bin')],
  ],
  [
    'a role that does not exist',
    () => addressOf({ role: 'nobody_there' }),
    /^PostgreSQL at \S+ does not let the role nobody_there in \(/,
    /Correct the role.*create role "nobody_there" login/,
  ],
  [
    'a role that is not let in from here',
    () => addressOf({ role: 'barred' }),
    /^PostgreSQL at \S+ does not let the role barred in \(/,
    /pg_hba\.conf/,
  ],
  [
    'a wrong password',
    () => addressOf({ role: 'locked', password: 'wrong' }),
    /^PostgreSQL at \S+ refuses the password of the role locked \(/,
    /Correct the password.*%40/,
  ],
  [
    'no password',
    () => addressOf({ role: 'locked' }),
    /^PostgreSQL at \S+ asks for the password of the role locked, and there is none \(/,
    /postgres:\/\/user:password@host/,
  ],
  [
    'a database that does not exist',
    () => addressOf({ database: 'nowhere' }),
    /^there is no database nowhere at \S+ \(/,
    /create database "nowhere" encoding 'UTF8' template template0/,
  ],
  [
    'a database that the role may not connect to',
    () => addressOf({ role: 'poor', database: 'shut' }),
    /^the role poor may not connect to the database shut \(/,
    /grant connect on database "shut" to "poor"/,
  ],
  [
    'no room for another connection',
    () => addressOf({ role: 'full' }),
    /^PostgreSQL at \S+ takes no further connection of the role full \(/,
    /max_connections/,
  ],
  [
    'a wrong port of a socket',
    () => addressOf({ port: '5999' }),
    /^no PostgreSQL listens at \S+\.s\.PGSQL\.5999 \(/,
    /correct host and port/,
  ],
  [
    'a PostgreSQL that does not run',
    () => `postgres://mirror@127.0.0.1:${ports.free}/mirror`,
    /^no PostgreSQL listens at 127\.0\.0\.1:\d+ \(/,
    /^Start PostgreSQL, or correct host and port/,
  ],
  [
    'a port of HTTP',
    () => `postgres://mirror@127.0.0.1:${ports.http}/mirror`,
    /^what answers at 127\.0\.0\.1:\d+ is no PostgreSQL/,
    /others often belong to HTTP/,
  ],
  [
    'a port that never answers',
    () => `postgres://mirror@127.0.0.1:${ports.silent}/mirror`,
    /^PostgreSQL at 127\.0\.0\.1:\d+ does not answer \(/,
    /Check that host and port/,
  ],
  [
    'a host that nobody knows',
    () => 'postgres://mirror@nowhere.invalid/mirror',
    /^the host nowhere\.invalid is not known \(/,
    /Correct the host/,
  ],
  [
    'the name of a database in the place of the host',
    () => 'postgres://nowhere.invalid',
    /^the host nowhere\.invalid is not known \(/,
    /what follows \/\/ is a host, and the database comes after it/,
  ],
  [
    'encryption that the server does not have',
    () => `${addressOf({})}&sslmode=verify-full`,
    /^PostgreSQL at \S+ does not encrypt connections \(/,
    /Leave sslmode out/,
  ],
  [
    'a certificate that is not there',
    () => `postgres://mirror@127.0.0.1/mirror?sslmode=verify-full&sslrootcert=${at('none.crt')}`,
    /^the file .*none\.crt, which the address \(DATABASE_URL\) names, cannot be read \(/,
    /sslrootcert/,
  ],
  [
    'an empty database to be read only',
    () => addressOf({ database: 'blank' }),
    /^the database blank has no tables of a ledger that the role mirror can see$/,
    /leave --read-only out/,
    () => ['--read-only'],
  ],
];

describe('the database', () => {
  test.each(cases)('%s', async (_name, url, found, advice, flags = () => []) => {
    expect(await ask('database', url(), flags())).toEqual({
      name: 'database',
      ok: false,
      found: expect.stringMatching(found),
      advice: expect.stringMatching(advice),
    });
  });

  // Said by one sentence that has the advice in it.
  test.each([
    ['a schema of a later version', 'newer', /has schema version \d+, this program supports up to \d+\. Run the newer/],
    ['tables of another program', 'others', /holds tables that this program did not make: invoices … Writing needs an/],
  ])('%s', async (_name, database, found) => {
    expect(await ask('database', addressOf({ database }))).toEqual({
      name: 'database',
      ok: false,
      found: expect.stringMatching(found),
    });
  });

  test('a PostgreSQL that is too old', () => {
    const able = { encoding: 'UTF8', database: 'old', role: 'owner', hasBlocks: true, creates: true, reads: true };
    const old = { ...able, writes: true, unreadable: null, version: '14.9', number: 140_009 };
    expect(() => judgeServer(old, { readOnly: false })).toThrow(
      expect.objectContaining({ message: 'PostgreSQL 14.9 is too old', advice: 'Use PostgreSQL 15 or later.' }),
    );
  });

  test('what is in order is found in order', async () => {
    const book = ['--address-book', at('one', 'addressbook.bin')];
    expect(await ask('database', addressOf({ database: 'filled' }), book)).toMatchObject({ ok: true });
    expect(await ask('database', addressOf({ database: 'filled' }), ['--read-only'])).toMatchObject({ ok: true });
    expect(await ask('database', addressOf({ database: 'blank' }))).toMatchObject({ ok: true });
    expect(await ask('database', addressOf({ role: 'locked', password: 'right', database: 'blank' }))).toMatchObject({
      found: expect.stringContaining('the role locked may not create them'),
    });
  });

  test('nothing was made by any of it', () => {
    expect(existsSync(at('never'))).toBe(false);
  });
});

test.each([['doctor'], ['import', '--source', '.'], ['serve'], ['export', '--to', './x']])(
  'an address with one slash is refused by %s, with the form of a right one',
  async (...args) => {
    const { code, output } = await runHere(args, { env: { DATABASE_URL: 'postgres:/mirror' }, cwd: folder });
    expect([code, output]).toEqual([
      2,
      expect.stringMatching(
        /DATABASE_URL must be a URL such as .* in full postgres:\/\/user:password@host:port\/database/,
      ),
    ]);
  },
);

test.each([
  ['migrate'],
  ['import', '--source', '.'],
  ['serve', '--port', '0'],
  ['serve', '--read-only', '--port', '0'],
])('other commands say the same, as %s does', async (...args) => {
  const env = { DATABASE_URL: addressOf({ role: 'locked', password: 'wrong' }) };
  const { code, output } = await runHere([...args, '--data-dir', at('of-commands')], { env, cwd: folder });
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/: PostgreSQL at \S+ refuses the password of the role locked \(.*\)\. Correct the password/),
  ]);
});

describe('the data folder', () => {
  test('an empty one: no database is made, and it is said when', async () => {
    const empty = at('empty');
    mkdirSync(empty);
    for (const place of [empty, join(empty, 'further', 'down')]) {
      expect(await ask('database', null, ['--data-dir', place])).toEqual({
        name: 'database',
        ok: true,
        found: expect.stringMatching(
          new RegExp(`^embedded PostgreSQL 18\\.\\d+; there is no database in ${place} yet, the first start makes it$`),
        ),
      });
    }
    expect(readdirSync(empty)).toEqual([]);
  });

  test('a file', async () => {
    writeFileSync(at('file'), '');
    for (const name of ['data folder', 'database']) {
      expect(await ask(name, null, ['--data-dir', at('file')])).toEqual({
        name,
        ok: false,
        found: `${at('file')} is a file, and no folder`,
        advice: expect.stringContaining('--data-dir'),
      });
    }
  });

  test.skipIf(!isRoot)('of another user (skipped without the rights to make one)', async () => {
    const foreign = at('foreign');
    mkdirSync(foreign, { mode: 0o755 });
    const { ended, output } = runMirror(['doctor', '--data-dir', foreign, '--port', '0'], { uid: 65_534, gid: 65_534 });
    expect(await ended).toBe(1);
    expect(output()).toMatch(
      /^FAILED data folder: .*foreign cannot be written by this user\. Change its owner, or choose another folder/m,
    );
  });

  test.skipIf(!isRoot)('with database files of another user (skipped without the rights to make them)', async () => {
    const foreign = at('foreign-files');
    mkdirSync(join(foreign, 'postgres'), { recursive: true });
    cpSync(at('postgres-of-test', 'postgres', 'PG_VERSION'), join(foreign, 'postgres', 'PG_VERSION'));
    chownSync(join(foreign, 'postgres'), 12_345, 12_345);
    expect(await ask('database', null, ['--data-dir', foreign])).toEqual({
      name: 'database',
      ok: false,
      found: expect.stringMatching(
        /^the database files in .* belong to the user with the id 12345, and the program runs as /,
      ),
      advice: expect.stringMatching(/chown -R/),
    });
  });

  test('with database files of another version', async () => {
    const old = at('old-files');
    mkdirSync(join(old, 'postgres'), { recursive: true });
    writeFileSync(join(old, 'postgres', 'PG_VERSION'), '17\n');
    if (isRoot) chownSync(join(old, 'postgres'), 65_534, 65_534);
    expect(await ask('database', null, ['--data-dir', old])).toMatchObject({
      ok: false,
      found: expect.stringMatching(/were written by PostgreSQL 17, .* Start with a new data folder .*pg_upgrade/),
    });
  });
});

describe('the port', () => {
  test.each<[string, string[], RegExp, RegExp]>([
    [
      'an address of another machine',
      ['--host', '192.0.2.1', '--port', '5551'],
      /^192\.0\.2\.1:5551 cannot be listened on/,
      /--host.*--port/,
    ],
  ])('%s', async (_name, flags, found, advice) => {
    expect(await ask('port', null, flags)).toEqual({
      name: 'port',
      ok: false,
      found: expect.stringMatching(found),
      advice: expect.stringMatching(advice),
    });
  });

  test('one that is taken', async () => {
    expect(await ask('port', null, ['--port', String(ports.silent)])).toEqual({
      name: 'port',
      ok: false,
      found: `127.0.0.1:${ports.silent} is taken by another program (EADDRINUSE)`,
      advice: 'Stop what listens there, or choose another with --port.',
    });
  });
});

describe('stream files and address books', () => {
  test.each<[string, string, () => string[], RegExp]>([
    ['a folder that is not there', 'source', () => ['--source', at('nowhere')], /nowhere.*Point --source at/],
    [
      'a folder without files',
      'source',
      () => ['--source', at('one', 'recordstreams', 'sidecar')],
      /Point --source at/,
    ],
    [
      'an address book that is not there',
      'address book',
      () => ['--address-book', at('none.bin')],
      /^The address book .*none\.bin cannot be read: .* It is the content of the network's file 102/,
    ],
    [
      'an address book that is none',
      'address book',
      () => ['--address-book', at('one-file')],
      /^The address book .*one-file cannot be read: .* It is the content of the network's file 102/,
    ],
  ])('%s', async (_name, question, flags, says) => {
    writeFileSync(at('one-file'), 'no address book');
    const finding = await ask(question, null, flags());
    expect(finding?.ok).toBe(false);
    expect(`${finding?.found}. ${finding?.advice ?? ''}`).toMatch(says);
  });

  test.skipIf(!isRoot)('a folder that this user may not read (skipped without the rights to make one)', async () => {
    cpSync(at('one'), at('closed'), { recursive: true });
    chmodSync(at('closed', 'recordstreams'), 0o700);
    const args = ['doctor', '--source', at('closed'), '--data-dir', at('by-nobody'), '--port', '0'];
    const { ended, output } = runMirror(args, { uid: 65_534, gid: 65_534 });
    expect(await ended).toBe(1);
    expect(output()).toMatch(/^FAILED source: .*closed.*Point --source at/m);
  });
});
