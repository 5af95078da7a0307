import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSettings } from '../settings/load-settings.ts';
import { readRemoteStatus, reporterNameOf } from './remote-status.ts';
import { readStatusTls } from './status-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'remote-status-'));
const notPem = join(folder, 'not.pem');
writeFileSync(notPem, 'no certificate');
afterAll(() => rmSync(folder, { recursive: true }));

const token = 'sixteen-characters';
const read = (env: Record<string, string>) =>
  readRemoteStatus(
    loadSettings(
      'serve',
      [],
      Object.fromEntries(Object.entries(env).map(([name, value]) => [`LEDGER_MIRROR_STATUS_REPORT_${name}`, value])),
    ),
  );

describe('a status service on another machine', () => {
  it('is none unless it is named', () => {
    expect(read({ TOKEN: token })).toBeNull();
  });

  it.each([
    ['https://status.example.org:5553/', 'https://status.example.org:5553', false],
    ['http://127.0.0.1:5553', 'http://127.0.0.1:5553', false],
    ['http://[::1]:5553', 'http://[::1]:5553', false],
    ['http://status:5553', 'http://status:5553', true],
  ])('%s', (to, origin, isReadable) => {
    expect(read({ TO: to, TOKEN: token })).toMatchObject({ origin, isReadable, token });
  });

  it.each<[string, Record<string, string>, RegExp]>([
    ['with a path', { TO: 'https://x.example/status', TOKEN: token }, /scheme, host and port/],
    ['with a user', { TO: 'https://a:b@x.example', TOKEN: token }, /scheme, host and port/],
    ['without a token', { TO: 'https://x.example' }, /needs --status-report-token/],
    ['with a short token', { TO: 'https://x.example', TOKEN: 'short' }, /at least 16 characters/],
    [
      'with a token of two lines',
      { TO: 'https://x.example', TOKEN: `${token}\r\nX: y` },
      /needs --status-report-token/,
    ],
    ['with a strange name', { TO: 'https://x.example', TOKEN: token, NAME: 'a b' }, /--status-report-name/],
    ['without the file of its authority', { TO: 'https://x.example', TOKEN: token, CA: '/nowhere' }, /cannot be read/],
    ['with a file that is none', { TO: 'https://x.example', TOKEN: token, CA: notPem }, /has no certificate/],
  ])('is refused %s', (_what, env, message) => {
    expect(() => read(env)).toThrow(message);
  });

  it('knows this program by host and place, or by its own name', () => {
    const remote = read({ TO: 'https://x.example', TOKEN: token })!;
    expect(reporterNameOf(remote, '5551')).toMatch(/^[\w.:@-]{1,100}:5551$/);
    expect(reporterNameOf({ ...remote, name: 'blue' }, '5551')).toBe('blue');
  });
});

describe('the certificate of the status port', () => {
  const tls = (...flags: string[]) => readStatusTls(loadSettings('status', flags, {}));
  it('is none, or both files', () => {
    expect(tls()).toBeNull();
    expect(() => tls('--status-tls-cert=x')).toThrow('belong together');
    expect(() => tls(`--status-tls-cert=${notPem}`, `--status-tls-key=${notPem}`)).toThrow('cannot be used');
  });
});
