// The stake of the whole network, at the end of the newest staking period.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { everyColumn, type RowOf } from './statement/columns.ts';

export type NetworkStakeRow = RowOf<typeof networkStake>;

export function selectNetworkStake(db: Database): Promise<NetworkStakeRow | null> {
  return selectOne(db, {
    name: 'select-network-stake',
    select: networkStake,
    from: 'from network_stake order by consensus_timestamp desc limit 1',
  });
}

const networkStake = everyColumn('network_stake');
