import { expect, it, test } from 'vitest';
import { loadSettings } from './load-settings.ts';
import { toListenerSettings, toLoadLimits, usualMaxConnections } from './to-listener-settings.ts';

it.each([
  [null, 4096],
  [20_000, 4096],
  [1024, 704],
  [512, 320],
  [64, 16],
])('of %s open files, %i are for clients', (openFiles, connections) => {
  expect(usualMaxConnections(openFiles)).toBe(connections);
});

test('times are given in seconds, proxies with commas between', () => {
  const flags = ['--head-timeout', '3', '--max-connections', '7', '--trust-proxy', 'loopback, 10.0.0.0/8,::1'];
  expect(toListenerSettings(loadSettings('serve', flags, {}))).toEqual({
    clusterId: null,
    limits: {
      headTimeoutMs: 3000,
      bodyTimeoutMs: 30_000,
      idleTimeoutMs: 60_000,
      answerTimeoutMs: 60_000,
      maxConnections: 7,
    },
    trustProxy: ['loopback', '10.0.0.0/8', '::1'],
  });
});

it.each(['', 'proxy.example', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.1,', '::/129', '*'])(
  '%j is no list of proxies',
  (text) => {
    expect(() => loadSettings('serve', ['--trust-proxy', text], {})).toThrow(
      /--trust-proxy must be addresses or networks/,
    );
  },
);

it('keys of clients are read also where nothing is limited', () => {
  const load = (...flags: string[]) => toLoadLimits(loadSettings('serve', flags, {}));
  expect(load('--api-keys', 'shop:0123456789abcdef').rateLimits).toBeNull();
  expect(() => load('--api-keys', 'shop:0123')).toThrow('api-keys must be name:token');
});
