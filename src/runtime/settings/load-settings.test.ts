import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadSettings, withDefaults } from './load-settings.ts';
import { type RemovedSettings, removedSettings } from './removed-settings.ts';
import { settingsTable } from './settings-table.ts';
import { UsageError } from './usage-error.ts';

describe('loadSettings', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const configuration = (content: unknown): string => {
    const path = join(folder, 'settings.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  test('defaults', () => {
    const settings = loadSettings('serve', [], {});
    expect(settings.get('port')).toBe(5551);
    expect(settings.get('host')).toBe('127.0.0.1');
    expect(settings.get('dialect')).toBe('spec');
    expect(settings.get('synthetic-results')).toBe(true);
    expect(settings.find('shard')).toBeUndefined();
    expect(settings.find('database-url')).toBeUndefined();
  });

  test('a flag wins over the environment, the environment over the file', () => {
    const config = configuration({ port: 1, host: '0.0.0.1', dialect: 'hiero' });
    const env = { LEDGER_MIRROR_CONFIG: config, LEDGER_MIRROR_PORT: '2', LEDGER_MIRROR_HOST: '0.0.0.2' };
    const settings = loadSettings('serve', ['--port', '3'], env);
    expect([settings.get('port'), settings.get('host'), settings.get('dialect')]).toEqual([3, '0.0.0.2', 'hiero']);
  });

  test('DATABASE_URL counts, the longer name first', () => {
    expect(loadSettings('serve', [], { DATABASE_URL: 'postgres://a' }).get('database-url')).toBe('postgres://a');
    const both = { DATABASE_URL: 'postgres://a', LEDGER_MIRROR_DATABASE_URL: 'postgres://b' };
    expect(loadSettings('serve', [], both).get('database-url')).toBe('postgres://b');
  });

  test.each([
    'postgres://user:pass%40word@host:5432/database?sslmode=require',
    'postgresql://owner@/postgres?host=%2Frun%2Fpostgresql',
    'postgresql:///mirror?host=/run/postgresql',
  ])('%s is an address of a database', (url) => {
    expect(loadSettings('serve', [], { DATABASE_URL: url }).get('database-url')).toBe(url);
  });

  test('switches turn on and off', () => {
    expect(loadSettings('import', ['--once'], {}).get('once')).toBe(true);
    expect(loadSettings('serve', ['--no-synthetic-results'], {}).get('synthetic-results')).toBe(false);
    expect(loadSettings('serve', [], { LEDGER_MIRROR_SYNTHETIC_RESULTS: '0' }).get('synthetic-results')).toBe(false);
  });

  test.each([
    ['port too large', ['--port', '70000'], {}, '--port must be a whole number from 0 to 65535, not "70000"'],
    ['bad choice', ['--dialect', 'x'], {}, '--dialect must be one of spec, hiero, not "x"'],
    [
      'bad variable',
      [],
      { LEDGER_MIRROR_PORT: 'a' },
      'LEDGER_MIRROR_PORT must be a whole number from 0 to 65535, not "a"',
    ],
    ['secret value', [], { DATABASE_URL: '' }, 'DATABASE_URL must be a URL such as postgres://… or postgresql://…'],
    ['no address', [], { DATABASE_URL: 'localhost:5432/x' }, 'DATABASE_URL must be a URL such as postgres://…'],
    ['one slash', [], { DATABASE_URL: 'postgres:/mirror' }, 'DATABASE_URL must be a URL such as postgres://…'],
    ['no port', [], { DATABASE_URL: 'postgres://h:port/x' }, 'DATABASE_URL must be a URL such as postgres://…'],
    [
      'another scheme',
      ['--status-url', 'ftp://x'],
      {},
      '--status-url must be a URL such as http://… or https://…, not "ftp://x"',
    ],
    ['misplaced flag', ['--once'], {}, '--once has no meaning for this command'],
    ['unknown flag', ['--prot', '1'], {}, `Unknown option '--prot'. "ledger-mirror serve --help" lists what it takes.`],
    [
      'value that looks like a flag',
      ['--limit-default', '-1'],
      {},
      `'--limit-default' argument is ambiguous. Did you forget to specify the option argument for '--limit-default'? To specify an option argument starting with a dash use '--limit-default=-XYZ'. "ledger-mirror serve --help" lists what it takes.`,
    ],
    ['missing file', ['--config', '/nowhere/x.json'], {}, 'The configuration file /nowhere/x.json cannot be read: '],
  ])('%s is refused', (_name, argv, env, message) => {
    const load = (): unknown => loadSettings('serve', argv as string[], env as NodeJS.ProcessEnv);
    expect(load).toThrow(UsageError);
    expect(load).toThrow(message as string);
  });

  test.each([
    ['{', 'is not JSON'],
    ['[]', 'must hold one JSON object'],
    [{ prot: 1 }, 'names an unknown setting "prot"'],
    [{ constructor: 'x' }, 'names an unknown setting "constructor"'],
    [{ port: null }, '"port" in'],
    [{ port: 'x' }, 'must be a whole number from 0 to 65535, not "x"'],
  ])('configuration file %j is refused', (content, message) => {
    expect(() => loadSettings('serve', ['--config', configuration(content)], {})).toThrow(message);
  });

  describe('a setting that was removed', () => {
    const removed: RemovedSettings = {
      'old-port': { since: '0.4.0', instead: 'port', environment: 'OLD_PORT' },
      tracing: { since: '0.5.0', instead: { sentence: 'every call is traced' } },
    };
    const load = (argv: string[], env: NodeJS.ProcessEnv = {}): unknown => loadSettings('serve', argv, env, removed);

    test.each<[string[], string]>([
      [['--old-port', '1'], '--old-port was removed in 0.4.0: use --port'],
      [['--old-port=1'], '--old-port was removed in 0.4.0: use --port'],
      [['--port', '1', '--old-port'], '--old-port was removed in 0.4.0: use --port'],
      [['--tracing'], '--tracing was removed in 0.5.0: every call is traced'],
      [['--no-tracing'], '--no-tracing was removed in 0.5.0: every call is traced'],
    ])('is refused as %j, with what replaces it', (argv, message) => {
      expect(() => load(argv)).toThrow(new UsageError(message));
    });

    test.each([
      ['LEDGER_MIRROR_OLD_PORT', '1'],
      ['LEDGER_MIRROR_OLD_PORT', ''],
      ['OLD_PORT', '1'],
    ])('is refused as the variable %s=%s', (variable, value) => {
      expect(() => load([], { [variable]: value })).toThrow(
        new UsageError(`${variable} was removed in 0.4.0: use --port`),
      );
    });

    test('is refused in the configuration file', () => {
      const config = configuration({ port: 1, 'old-port': 1 });
      expect(() => load(['--config', config])).toThrow(
        new UsageError(`"old-port" in ${config} was removed in 0.4.0: use --port`),
      );
    });

    test('is no setting that exists', () => {
      const names = Object.keys(settingsTable);
      expect(Object.keys(removedSettings).filter((name) => names.includes(name))).toEqual([]);
    });
  });

  test('a needed setting that is missing is named', () => {
    expect(() => loadSettings('verify', [], {}).get('source')).toThrow('--source <folder> is needed');
  });
});

test('a command may have values of its own for what was not given', () => {
  const load = (argv: string[]) => withDefaults(loadSettings('start', argv, {}), { keep: 5n });
  expect(load([]).find('keep')).toBe(5n);
  expect(load([]).get('keep')).toBe(5n);
  expect(load(['--keep=2h']).find('keep')).toBe(7_200_000_000_000n);
  expect(load([]).get('port')).toBe(5551);
  expect(load([]).find('source')).toBeUndefined();
});
