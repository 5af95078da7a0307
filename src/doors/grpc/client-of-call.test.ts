import { Metadata } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { createClientOf } from '../../../packages/web-server/client-of.ts';
import { clientOfCall } from './client-of-call.ts';

test.each([
  ['203.0.113.7', '203.0.113.7:50211', {}],
  ['203.0.113.7', '::ffff:203.0.113.7:50211', {}],
  ['2001:db8:1:2::/64', '2001:db8:1:2::9:50211', {}],
  ['key wallet', '203.0.113.7:50211', { 'x-api-key': 'secret' }],
  ['198.51.100.1', '10.0.0.1:50211', { 'x-forwarded-for': '198.51.100.1' }],
  ['203.0.113.7', '203.0.113.7:50211', { 'x-forwarded-for': '198.51.100.1' }],
  ['unknown', 'unknown', {}],
])('%s, at %s with %o', (client, peer, headers) => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value as string);
  const clientOf = createClientOf({ trustProxy: ['10.0.0.0/8'], keys: new Map([['secret', 'wallet']]) });
  expect(clientOfCall(clientOf, { getPeer: () => peer, metadata })).toBe(client);
});
