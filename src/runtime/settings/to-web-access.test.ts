import { expect, it } from 'vitest';
import { loadSettings } from './load-settings.ts';
import { toWebAccess } from './to-web-access.ts';

const all = 'all' as const;

it.each([
  ['', { hosts: [], origins: [], takesLocalPages: true }],
  ['--host localhost', { hosts: [], origins: [], takesLocalPages: true }],
  ['--host ::1', { hosts: [], origins: [], takesLocalPages: true }],
  ['--host 0.0.0.0', { hosts: all, origins: all, takesLocalPages: true }],
  ['--host ::', { hosts: all, origins: all, takesLocalPages: true }],
  ['--host 10.0.0.7', { hosts: all, origins: all, takesLocalPages: true }],
  // In a container whose port is published on this machine only.
  ['--host 0.0.0.0 --allowed-hosts localhost', { hosts: ['localhost'], origins: [], takesLocalPages: true }],
  // Behind a proxy on this machine.
  ['--allowed-hosts Mirror.example.org', { hosts: ['mirror.example.org'], origins: all, takesLocalPages: true }],
  ['--allowed-hosts a.example,*', { hosts: all, origins: all, takesLocalPages: true }],
  ['--allowed-origins *', { hosts: [], origins: all, takesLocalPages: true }],
  [
    '--allowed-origins https://remix.ethereum.org',
    { hosts: [], origins: ['https://remix.ethereum.org'], takesLocalPages: true },
  ],
  [
    '--host 0.0.0.0 --allowed-origins https://a.example,null',
    { hosts: all, origins: ['https://a.example', 'null'], takesLocalPages: false },
  ],
  ['--verify-origins https://b.example', { hosts: [], origins: ['https://b.example'], takesLocalPages: true }],
  [
    '--allowed-hosts m.example --allowed-origins https://a.example --verify-origins https://b.example',
    { hosts: ['m.example'], origins: ['https://a.example', 'https://b.example'], takesLocalPages: false },
  ],
])('%j', (flags, expected) => {
  expect(toWebAccess(loadSettings('serve', flags.split(' ').filter(Boolean), {}))).toEqual(expected);
});

it.each([
  ['--allowed-hosts', 'https://mirror.example.org'],
  ['--allowed-hosts', 'mirror.example.org:443'],
  ['--allowed-hosts', 'a.example,,b.example'],
  ['--allowed-hosts', 'mirror.*.org'],
  ['--allowed-origins', 'app.example.org'],
  ['--allowed-origins', 'https://app.example.org/'],
  ['--allowed-origins', 'https://*.example.org'],
  ['--allowed-origins', 'HTTPS://app.example.org'],
])('%s %s is refused', (flag, value) => {
  expect(() => loadSettings('serve', [flag, value], {})).toThrow(`${flag} must be`);
});
