import { type SystemRealm, usualRealm } from '../../protocol/hapi/system-entity.ts';
import type { Settings } from './load-settings.ts';

/** What --shard and --realm say, one of which is enough; null = nothing. */
export function readRealm({ find }: Pick<Settings, 'find'>): SystemRealm | null {
  const [shard, realm] = [find('shard'), find('realm')];
  if (shard === undefined && realm === undefined) return null;
  return { shard: shard ?? usualRealm.shard, realm: realm ?? usualRealm.realm };
}
