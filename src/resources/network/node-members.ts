// A node of the network as an item of its list: what the address book, its stake and later transactions say.
import { Type } from '@sinclair/typebox';
import type { Kind } from '../../api/values/kind.ts';
import { boolean, entityId, hex, int32, int64, key, text } from '../../api/values/kinds.ts';
import { array, members, nullable, value } from '../../api/values/members.ts';
import { validity } from '../../api/values/validity.ts';
import { stakingPeriod } from './period.ts';

/** Hex that is kept as text; `0x` for none. */
const hexText: Kind<Uint8Array | string | null> = {
  schema: Type.String({ ...hex.schema, pattern: '^0x' }),
  write: (stored) => text.write(`0x${stored === null ? '' : stored.toString()}`),
};

const serviceEndpoint = members({ domain_name: text, ip_address_v4: text, port: int32 }, { name: 'ServiceEndpoint' });

export const nodeKind = members(
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
    timestamp: value(validity, 'Of the address book.'),
  },
  { name: 'NetworkNode', description: 'Stakes in tinybars.' },
);
