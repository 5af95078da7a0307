// What was written down of a contract over time: its versions, the newest first.
import type { Database } from '../../postgres/wire/database.ts';
import { columns, expression, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

const shown = [
  ...([
    'auto_renew_account_id',
    'auto_renew_period',
    'deleted',
    'ethereum_nonce',
    'expiration_timestamp',
    'key',
  ] as const),
  ...(['max_automatic_token_associations', 'memo', 'obtainer_id', 'permanent_removal', 'proxy_account_id'] as const),
  ...(['staked_account_id', 'staked_node_id', 'decline_reward'] as const),
] as const;

const version = selectAll(expression('since', 'int8', 'lower(timestamp_range)'), columns('entity', shown));

export type ContractVersionRow = RowOf<typeof version>;

/** At most `limit` versions that began before `before`; each since a consensus time (ns). */
export function selectContractVersions(
  db: Database,
  { contractId, before, limit }: { contractId: bigint; before: bigint; limit: number },
): Promise<ContractVersionRow[]> {
  const list = ['timestamp_range', ...shown].join(', ');
  const ofContract = `id = $1 and type = 'CONTRACT' and lower(timestamp_range) < $2`;
  return db.query(
    selectQuery({
      name: 'select-contract-versions',
      select: version,
      from: `from (
  select ${list} from entity where ${ofContract}
  union all
  (select ${list} from entity_history where ${ofContract} order by lower(timestamp_range) desc limit $3)
) versions order by lower(timestamp_range) desc limit $3`,
      values: [contractId, before, limit],
    }),
  );
}
