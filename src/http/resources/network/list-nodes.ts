// GET network/nodes: the nodes of the newest address book.
import { Type } from '@sinclair/typebox';
import { isEmptyRange } from '../../../kit/range.ts';
import type { NetworkNode } from '../../../ledger/network/to-network-node.ts';
import { emptyPage } from '../../../ledger/question/page.ts';
import { endpoint } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { page } from '../../reading/page/page.ts';
import { range } from '../../reading/query/conditions.ts';
import { type EntityCondition, entityConditions } from '../../reading/value/entity-id.ts';
import { integerText } from '../../reading/value/text-kinds.ts';
import type { Kind } from '../../values/kind.ts';
import { boolean, entityId, hex, int32, int64, key, text } from '../../values/kinds.ts';
import { array, members, nullable, value } from '../../values/members.ts';
import { pageOf } from '../../values/page-of.ts';
import { validity } from '../../values/validity.ts';
import { stakingPeriod } from './period.ts';

/** Hex that is stored as text; `0x` for none. */
const hexText: Kind<Uint8Array | string | null> = {
  schema: Type.String({ ...hex.schema, pattern: '^0x' }),
  write: (stored) => text.write(`0x${stored === null ? '' : stored.toString()}`),
};

const serviceEndpoint = members({ domain_name: text, ip_address_v4: text, port: int32 }, { name: 'ServiceEndpoint' });

const node = members(
  {
    admin_key: key,
    associated_registered_nodes: array(int64),
    decline_reward: nullable(boolean),
    description: nullable(text),
    file_id: entityId,
    grpc_proxy_endpoint: nullable(serviceEndpoint),
    max_stake: nullable(int64),
    memo: nullable(text),
    min_stake: nullable(int64),
    node_account_id: entityId,
    node_id: int64,
    node_cert_hash: hexText,
    public_key: hexText,
    reward_rate_start: nullable(int64),
    service_endpoints: array(serviceEndpoint),
    stake: nullable(int64),
    stake_not_rewarded: nullable(int64),
    stake_rewarded: nullable(int64),
    staking_period: nullable(stakingPeriod),
    timestamp: value(
      validity,
      (row: NetworkNode) => ({ from: row.startConsensusTimestamp, to: row.endConsensusTimestamp }),
      'Of the address book.',
    ),
  },
  { name: 'NetworkNode', description: 'Stakes in tinybars.' },
);

export const listNodes = endpoint({
  path: '/api/v1/network/nodes',
  id: 'listNodes',
  tag: 'Network',
  summary: 'The nodes of the network, as the newest address book lists them',
  peer: { java: 'object' },
  query: {
    'file.id': entityConditions(
      'Id of the file with the address book: that of number 102 unless given, or 101.',
      { form: 'number', kind: 'file', most: { count: 1, name: 'fileId' } },
      (conditions) => conditions.at(-1) ?? null,
    ),
    ...page({ order: 'asc', by: 'node id', limitDefault: 10, limitCap: 25 }),
    'node.id': range(
      integerText({ name: 'node' }),
      'Number of the node. Bounds must hold; exact ones are alternatives.',
    ),
  },
  check({ 'file.id': file, 'node.id': nodeId }) {
    if (file && file.operator !== 'eq') throw refuse('onlyEqual', { name: 'file.id' });
    if (isEmptyRange(nodeId)) throw refuse('invalidRange', { name: 'node.id' });
  },
  ask({ query }, { ledger }) {
    const fileId = toFileId(query['file.id']);
    if (fileId === undefined) return Promise.resolve(emptyPage);
    return ledger.network.nodes({ ...query, fileId, nodeId: query['node.id'] });
  },
  next: ['node.id'],
  answer: pageOf('nodes', node, 'NetworkNodes'),
  fresh: 60,
  example: { text: 'the nodes of the network' },
});

/** null = absent; undefined = impossible file id. */
function toFileId(condition: EntityCondition | null): bigint | null | undefined {
  if (!condition) return null;
  return condition.reference.kind === 'id' ? condition.reference.id : undefined;
}
