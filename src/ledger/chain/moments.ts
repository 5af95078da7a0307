// When an entity took part in what ran, of all its indexes together.
import { compareBigints } from '../../../packages/kit/compare-bigints.ts';
import { anyRange } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import type { ChainEntity } from '../../../packages/store/read/select-chain-entity.ts';
import { type MomentRow, momentSources, selectMoments } from '../../../packages/store/read/select-moments.ts';
import type { Page } from '../question/page.ts';

/** Bounds are inclusive; ns, null = open. */
export type MomentSpan = { from: bigint | null; to: bigint | null; order: 'asc' | 'desc' };

const momentsOfPage = 100;

/** In order. `next`: with which bound the next page begins. */
export async function askMoments(
  db: Database,
  { id, type }: Pick<ChainEntity, 'id' | 'type'>,
  { from, to, order }: MomentSpan,
): Promise<Page<MomentRow>> {
  const filter = { id, timestamp: { ...anyRange, from, to }, order, limit: momentsOfPage };
  const found = await Promise.all(momentSources.map((source) => selectMoments(db, source, filter)));
  const direction = order === 'asc' ? 1 : -1;
  const compare = (one: bigint, other: bigint): number => direction * compareBigints(one, other);
  // Beyond the end of a full page there may be more of its kind.
  const [reach] = found
    .filter(({ length }) => length === momentsOfPage)
    .map((rows) => rows.at(-1)!.consensusTimestamp)
    .sort(compare);
  const isOwn = (row: MomentRow): boolean => type === 'CONTRACT' || row.transactionNonce === 0;
  const items = found
    // As sender of what stands inside of a transaction an account may be named that only paid.
    .flatMap((rows, source) => (momentSources[source] === 'sent' ? rows.filter(isOwn) : rows))
    .filter(({ consensusTimestamp: at }) => reach === undefined || compare(at, reach) <= 0)
    .sort((one, other) => compare(one.consensusTimestamp, other.consensusTimestamp));
  return { items, next: reach === undefined ? null : reach + BigInt(direction) };
}
