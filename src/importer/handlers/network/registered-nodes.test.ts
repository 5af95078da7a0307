import { expect, test } from 'vitest';
import { importTransactions, timestampAt } from '../../../../packages/test-support/streams/import-transactions.ts';

const [t0, t1, t2] = [timestampAt(0), timestampAt(1), timestampAt(2)];

const endpoints = [
  { ipAddress: Buffer.of(10, 0, 0, 1), port: 40840, requiresTls: true, blockNode: { endpointApi: [1, 4, 77] } },
  { domainName: 'mirror.example', port: 443, mirrorNode: {} },
  { ipAddress: Buffer.from('20010db8000000000000000000000001', 'hex'), generalService: { description: 'faucet' } },
  { domainName: 'relay.example', port: 7546, rpcRelay: {} },
  { domainName: 'unsaid.example', port: 1 },
];

const stored = (more: Record<string, unknown>) => ({
  block_node: null,
  domain_name: null,
  general_service: null,
  ip_address: null,
  mirror_node: null,
  port: 0,
  requires_tls: false,
  rpc_relay: null,
  ...more,
});

test('a registered node, changed and deleted', async () => {
  const { rows, problems } = await importTransactions([
    {
      body: {
        registeredNodeCreate: { adminKey: Buffer.of(0x12, 0), description: 'first', serviceEndpoint: endpoints },
      },
      receipt: { registeredNodeId: 5 },
    },
    {
      body: {
        registeredNodeUpdate: {
          registeredNodeId: 5,
          description: { value: 'second' },
          serviceEndpoint: [endpoints[1]],
        },
      },
    },
    { body: { registeredNodeDelete: { registeredNodeId: 5 } } },
  ]);
  expect(problems).toEqual([]);
  const common = { admin_key: Buffer.of(0x12, 0), created_timestamp: t0, registered_node_id: 5n };
  const mirror = stored({ domain_name: 'mirror.example', port: 443, mirror_node: {} });
  expect(rows('registered_node')).toEqual([
    {
      ...common,
      deleted: false,
      description: 'first',
      service_endpoints: [
        stored({
          ip_address: '10.0.0.1',
          port: 40840,
          requires_tls: true,
          block_node: { endpoint_apis: ['STATUS', 'STATE_PROOF', 'UNRECOGNIZED'] },
        }),
        mirror,
        stored({ ip_address: '2001:db8:0:0:0:0:0:1', general_service: { description: 'faucet' } }),
        stored({ domain_name: 'relay.example', port: 7546, rpc_relay: {} }),
        stored({ domain_name: 'unsaid.example', port: 1 }),
      ],
      timestamp_range: { from: t0, to: t1 },
      type: [1, 2, 3, 4],
    },
    {
      ...common,
      deleted: false,
      description: 'second',
      service_endpoints: [mirror],
      timestamp_range: { from: t1, to: t2 },
      type: [3],
    },
    {
      ...common,
      deleted: true,
      description: 'second',
      service_endpoints: [mirror],
      timestamp_range: { from: t2, to: null },
      type: [3],
    },
  ]);
  expect(rows('transaction').map(({ entity_id }) => entity_id)).toEqual([null, null, null]);
});

test('an update that says nothing changes nothing but the version', async () => {
  const { rows } = await importTransactions([
    {
      body: { registeredNodeCreate: { description: 'first', serviceEndpoint: [endpoints[3]] } },
      receipt: { registeredNodeId: 0 },
    },
    { body: { registeredNodeUpdate: {} } },
  ]);
  expect(rows('registered_node')[1]).toMatchObject({ registered_node_id: 0n, description: 'first', type: [4] });
});

test('the ledger id, with the weights of its nodes', async () => {
  const publication = (key: number) => ({
    ledgerIdPublication: {
      ledgerId: Buffer.of(9),
      historyProofVerificationKey: Buffer.of(key),
      nodeContributions: [{ nodeId: 1, weight: 500, historyProofKey: Buffer.of(1, 2) }, {}],
    },
  });
  const { rows, problems } = await importTransactions([{ body: publication(7) }, { body: publication(8) }]);
  expect(problems).toEqual([]);
  expect(rows('ledger')).toEqual([
    {
      consensus_timestamp: t1,
      history_proof_verification_key: Buffer.of(8),
      ledger_id: Buffer.of(9),
      node_contributions: [
        { history_proof_key: 'AQI=', node_id: 1n, weight: 500n },
        { history_proof_key: '', node_id: 0n, weight: 0n },
      ],
    },
  ]);
});

test('nodes name registered nodes; an empty list takes them away, no list leaves them', async () => {
  const update = (more: object) => ({ body: { nodeUpdate: { nodeId: 3, ...more } } });
  const { rows } = await importTransactions([
    {
      body: { nodeCreate: { accountId: { accountNum: 3 }, associatedRegisteredNode: [5, 6] } },
      receipt: { nodeId: 3 },
    },
    update({}),
    update({ associatedRegisteredNodeList: { associatedRegisteredNode: [7] } }),
    update({ associatedRegisteredNodeList: {} }),
  ]);
  expect(rows('node').map(({ associated_registered_nodes: ids }) => ids)).toEqual([[5n, 6n], [5n, 6n], [7n], []]);
  expect(rows('node').map(({ created_timestamp }) => created_timestamp)).toEqual([t0, t0, t0, t0]);
});

test('a node that the network itself tells of by an update counts as created with it', async () => {
  const { rows } = await importTransactions([
    { body: { nodeUpdate: { nodeId: 3 } }, nonce: 1 },
    { body: { nodeUpdate: { nodeId: 4 } } },
  ]);
  expect(rows('node').map(({ node_id, created_timestamp }) => [node_id, created_timestamp ?? null])).toEqual([
    [3n, t0],
    [4n, null],
  ]);
});
