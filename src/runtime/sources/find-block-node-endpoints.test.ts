import { expect, it } from 'vitest';
import type { ServiceEndpoint } from '../../ledger/network/create-registered-nodes.ts';
import { findBlockNodeEndpoints } from './find-block-node-endpoints.ts';

const endpoint = (changed: Partial<ServiceEndpoint>): ServiceEndpoint => ({
  type: 'BLOCK_NODE',
  endpointApis: ['STATUS', 'SUBSCRIBE_STREAM'],
  description: '',
  domainName: 'bn.example.com',
  ipAddress: null,
  port: 40840n,
  requiresTls: false,
  ...changed,
});
const find = (...serviceEndpoints: Partial<ServiceEndpoint>[]) =>
  findBlockNodeEndpoints({ serviceEndpoints: serviceEndpoints.map(endpoint) });
const place = (host: string, port: number, isSecure = false) => ({ host, port, isSecure });

it('takes the port that declares each of the two', () => {
  expect(find({})).toEqual({
    subscription: place('bn.example.com', 40840),
    status: place('bn.example.com', 40840),
  });
  expect(
    find(
      { endpointApis: ['PUBLISH'], port: 40984n },
      { endpointApis: ['STATUS'], domainName: 'other.example.com' },
      { endpointApis: ['SUBSCRIBE_STREAM'], port: 40980n, requiresTls: true },
      { endpointApis: ['OTHER', 'STATUS'], port: 40982n, requiresTls: true },
    ),
  ).toEqual({ subscription: place('bn.example.com', 40980, true), status: place('bn.example.com', 40982, true) });
  expect(
    find(
      { endpointApis: ['SUBSCRIBE_STREAM'] },
      { endpointApis: ['STATUS'], domainName: null, ipAddress: '192.0.2.1' },
    ),
  ).toEqual({ subscription: place('bn.example.com', 40840), status: place('192.0.2.1', 40840) });
});

it.each<[string, Partial<ServiceEndpoint>[]]>([
  ['no endpoint', []],
  ['no subscriptions', [{ endpointApis: ['STATUS', 'PUBLISH', 'STATE_PROOF', 'UNRECOGNIZED'] }]],
  ['no status', [{ endpointApis: ['SUBSCRIBE_STREAM'] }]],
  [
    'the status of another service',
    [{ endpointApis: ['SUBSCRIBE_STREAM'] }, { endpointApis: ['STATUS'], type: 'MIRROR_NODE' }],
  ],
  ['port 0', [{ port: 0n }]],
  ['port 65536', [{ port: 65_536n }]],
  ['no host', [{ domainName: null }]],
  ['an address of three bytes', [{ domainName: null, ipAddress: 'a00:1' }]],
  ...[
    '',
    ' ',
    'a b',
    'a_b',
    '-a',
    'a-',
    'a..b',
    'a/b',
    'user@a',
    'a:1',
    '[::1]',
    'ipv4:1',
    'a,b',
    'a\nb',
    'é.example',
    `${'a'.repeat(64)}.b`,
    `${'a.'.repeat(126)}b`,
  ].map((domainName): [string, Partial<ServiceEndpoint>[]] => [
    `the host ${JSON.stringify(domainName)}`,
    [{ domainName }],
  ]),
])('refuses %s', (_name, endpoints) => {
  expect(find(...endpoints)).toBeNull();
});

it('passes over an endpoint that cannot be one', () => {
  expect(find({ port: 0n }, { domainName: 'BN.Example.com.', port: 1n })?.subscription).toEqual(
    place('bn.example.com', 1),
  );
  expect(find({ domainName: null, ipAddress: '2001:db8:0:0:0:0:0:1' })?.status.host).toBe('2001:db8:0:0:0:0:0:1');
});
