import { expect, test } from 'vitest';
import { type ClientOfOptions, createClientOf } from './client-of.ts';

const proxied: ClientOfOptions = { trustProxy: ['10.0.0.0/8'], keys: new Map([['secret', 'wallet']]) };

test.each<[string, string, Record<string, string>, ClientOfOptions]>([
  ['203.0.113.7', '203.0.113.7', {}, {}],
  ['203.0.113.7', '203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }, {}],
  ['198.51.100.1', '10.1.2.3', { 'x-forwarded-for': '192.0.2.9, 198.51.100.1' }, proxied],
  ['192.0.2.9', '10.1.2.3', { 'x-forwarded-for': '192.0.2.9, 10.7.7.7' }, proxied],
  ['203.0.113.7', '203.0.113.7', { 'x-forwarded-for': '198.51.100.1' }, proxied],
  ['2001:db8:1:2::/64', '::ffff:10.1.2.3', { 'x-forwarded-for': '[2001:db8:1:2::9]:443' }, proxied],
  ['key wallet', '203.0.113.7', { 'x-api-key': 'secret' }, proxied],
  ['203.0.113.7', '203.0.113.7', { 'x-api-key': 'guess' }, proxied],
])('%s, at %s with %o', (client, remoteAddress, headers, options) => {
  const clientOf = createClientOf(options);
  const socket = { remoteAddress };
  expect([clientOf({ headers, socket }), clientOf({ headers, socket })]).toEqual([client, client]);
});

test('requests of one connection to a proxy are those of several clients', () => {
  const clientOf = createClientOf(proxied);
  const socket = { remoteAddress: '10.0.0.1' };
  const ask = (address: string): string => clientOf({ headers: { 'x-forwarded-for': address }, socket });
  expect(['192.0.2.1', '192.0.2.2', '192.0.2.1'].map(ask)).toEqual(['192.0.2.1', '192.0.2.2', '192.0.2.1']);
});
