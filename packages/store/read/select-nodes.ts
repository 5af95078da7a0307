// The nodes of an address book, each with its stake and with changes by transactions.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { columns, expression, type RowOf, selectAll } from './statement/columns.ts';

/** The columns of the stake and of the node are null if there is no such row. */
export type NodeRow = RowOf<typeof nodeRow>;

export type NodesFilter = PageFilter & { fileId: bigint; nodeId: Range };

/** Of the newest book in the file, by node id. */
export function selectNodes(db: Database, { fileId, nodeId, ...page }: NodesFilter): Promise<NodeRow[]> {
  return selectPage(db, page, {
    name: 'select-nodes',
    select: nodeRow,
    from: `(
  select start_consensus_timestamp, end_consensus_timestamp, file_id from address_book
  where file_id = $1 order by start_consensus_timestamp desc limit 1
) b
join address_book_entry e on e.consensus_timestamp = b.start_consensus_timestamp
left join node_stake s on s.node_id = e.node_id
  and s.consensus_timestamp = (select consensus_timestamp from node_stake order by consensus_timestamp desc limit 1)
left join node n on n.node_id = e.node_id
where true`,
    values: [fileId],
    keys: { 'e.node_id': nodeId },
  });
}

const nodeRow = selectAll(
  columns('address_book', ['end_consensus_timestamp', 'file_id', 'start_consensus_timestamp'], 'b'),
  columns('address_book_entry', ['description', 'memo', 'node_cert_hash', 'node_id', 'public_key'], 'e'),
  columns('address_book_entry', { booked_account_id: 'node_account_id' }, 'e'),
  selectAll(
    columns(
      'node_stake',
      ['max_stake', 'min_stake', 'stake', 'stake_not_rewarded', 'stake_rewarded', 'staking_period'],
      's',
    ),
    columns('node_stake', { reward_rate_start: 'reward_rate' }, 's'),
  ).optional(),
  columns(
    'node',
    ['account_id', 'admin_key', 'associated_registered_nodes', 'decline_reward', 'grpc_proxy_endpoint'],
    'n',
  ).optional(),
  expression(
    'service_endpoints',
    'jsonb',
    `(
  select coalesce(jsonb_agg(jsonb_build_object(
    'domain_name', a.domain_name, 'ip_address_v4', a.ip_address_v4, 'port', a.port
  ) order by a.ip_address_v4, a.port), '[]')
  from address_book_service_endpoint a
  where a.consensus_timestamp = e.consensus_timestamp and a.node_id = e.node_id
)`,
  ),
);
