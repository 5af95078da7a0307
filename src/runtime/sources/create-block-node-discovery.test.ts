import { expect, it } from 'vitest';
import { type BlockNodeAddress, parseBlockNodeAddress } from '../../../packages/sources/source-places.ts';
import type { StreamSource } from '../../../packages/sources/stream-source.ts';
import type { RegisteredNode, ServiceEndpoint } from '../../ledger/network/create-registered-nodes.ts';
import { createBlockNodeDiscovery } from './create-block-node-discovery.ts';

const endpoint = (changed: Partial<ServiceEndpoint> = {}): ServiceEndpoint => ({
  type: 'BLOCK_NODE',
  endpointApis: ['STATUS', 'SUBSCRIBE_STREAM'],
  description: '',
  domainName: null,
  ipAddress: '8.8.8.8',
  port: 40840n,
  requiresTls: false,
  ...changed,
});
const registered = (id: bigint, ...serviceEndpoints: ServiceEndpoint[]): RegisteredNode => ({
  registeredNodeId: id,
  adminKey: null,
  createdTimestamp: 1n,
  description: null,
  serviceEndpoints,
  timestamp: { from: 1n, to: null },
});

function discover(named: string[], nodes: () => RegisteredNode[]) {
  const opened: BlockNodeAddress[] = [];
  const said: unknown[] = [];
  const log = (facts: object, sentence: string): void => void said.push([facts, sentence]);
  const find = createBlockNodeDiscovery({
    named: named.map(parseBlockNodeAddress),
    listRegistered: async () => nodes(),
    open(address) {
      opened.push(address);
      return { description: address.name } as StreamSource;
    },
    log: { info: log, warn: log },
    lookUp: async () => ['2600:1f00::2', '8.8.4.4', '1.1.1.1'],
  });
  return { find: async () => (await find()).map(({ description }) => description), opened, said, sources: find };
}

it('connects to the addresses that were looked at, with TLS for the name where it is registered so', async () => {
  const host = { domainName: 'bn.example.com', ipAddress: null };
  const { find, opened } = discover([], () => [
    registered(
      1n,
      endpoint({ ...host, endpointApis: ['SUBSCRIBE_STREAM'], port: 40980n, requiresTls: true }),
      endpoint({ ...host, endpointApis: ['STATUS'], port: 40982n, requiresTls: true }),
    ),
    registered(2n, endpoint({ ipAddress: '2600:1f00:0:0:0:0:0:9' })),
    registered(3n, endpoint({ endpointApis: ['SUBSCRIBE_STREAM'] }), endpoint({ ...host, endpointApis: ['STATUS'] })),
  ]);
  expect(await find()).toEqual([
    'grpcs://bn.example.com:40980?status=40982',
    'grpc://[2600:1f00:0:0:0:0:0:9]:40840',
    'grpc://8.8.8.8:40840 (status at grpc://bn.example.com:40840)',
  ]);
  expect(opened.map(({ subscription, status }) => [subscription, status])).toEqual([
    [
      { target: 'ipv4:1.1.1.1:40980,8.8.4.4:40980', isSecure: true, authority: 'bn.example.com:40980' },
      { target: 'ipv4:1.1.1.1:40982,8.8.4.4:40982', isSecure: true, authority: 'bn.example.com:40982' },
    ],
    [
      { target: '[2600:1f00::9]:40840', isSecure: false },
      { target: '[2600:1f00::9]:40840', isSecure: false },
    ],
    [
      { target: '8.8.8.8:40840', isSecure: false },
      { target: 'ipv4:1.1.1.1:40840,8.8.4.4:40840', isSecure: false, authority: 'bn.example.com:40840' },
    ],
  ]);
  // One connection for both.
  expect(opened[1]!.status).toBe(opened[1]!.subscription);
});

it('uses eight nodes at most, none that is named already, and says once which it does not use', async () => {
  const nodes = [
    registered(0n, endpoint({ ipAddress: '169.254.169.254' })),
    registered(1n, endpoint({ endpointApis: ['PUBLISH'] })),
    ...Array.from({ length: 20 }, (_, at) => registered(BigInt(at + 2), endpoint({ ipAddress: `8.8.8.${at}` }))),
  ];
  const { find, said } = discover(['grpc://8.8.8.3'], () => nodes);
  const expected = [0, 1, 2, 4, 5, 6, 7, 8].map((at) => `grpc://8.8.8.${at}:40840`);
  expect(await find()).toEqual(expected);
  expect(await find()).toEqual(expected);
  expect(said).toEqual([
    [{ registeredNode: '1' }, expect.stringMatching(/is not used: it names no endpoint for subscriptions/)],
    [{ registeredNode: '0' }, 'A registered block node is not used: 169.254.169.254 is not a public address'],
    [{ sources: expected.join(', ') }, expect.stringMatching(/which the ledger registers, are further sources/)],
  ]);
});

it('follows the ledger, and keeps the nodes that stay', async () => {
  let nodes = [registered(1n, endpoint()), registered(2n, endpoint({ ipAddress: '8.8.8.9' }))];
  const { sources, opened } = discover([], () => nodes);
  const [, second] = await sources();
  nodes = [registered(2n, endpoint({ ipAddress: '8.8.8.9' })), registered(3n, endpoint({ ipAddress: '8.8.8.10' }))];
  const later = await sources();
  expect(later[0]).toBe(second);
  expect(opened).toHaveLength(3);
});

it('keeps those of before while the database does not answer', async () => {
  let isAway = false;
  const { find, said } = discover([], () => {
    if (isAway) throw new Error('the database is away');
    return [registered(1n, endpoint())];
  });
  expect(await find()).toHaveLength(1);
  isAway = true;
  expect(await find()).toHaveLength(1);
  expect(said.at(-1)).toEqual([{ err: new Error('the database is away') }, expect.stringMatching(/cannot be read/)]);
});
