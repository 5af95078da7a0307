import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectOldestBlock, selectStoredExtent } from '../../../packages/store/read/select-mirror-extent.ts';
import { selectLeftOutParts } from '../../../packages/store/transfer/left-out-parts.ts';
import type { Extent } from './extent.ts';
import { keepHeld } from './left-out-rows.ts';
import { findOlderImports } from './older-imports.ts';

/** null = nothing is stored yet. */
export async function findExtent(db: Database): Promise<Extent | null> {
  const [stored, oldest] = [await selectStoredExtent(db), await selectOldestBlock(db)];
  if (!oldest) return null;
  const isCut = stored !== null && stored.keptFrom !== null;
  return {
    firstBlock: oldest.number,
    from: oldest.consensusStart,
    knowsBeginning: stored?.knowsBeginning ?? oldest.isFirst,
    isCut,
    included: stored?.included ?? null,
    excluded: stored?.excluded ?? null,
    leftOut: keepHeld(await selectLeftOutParts(db), oldest.consensusStart),
    olderImports: await findOlderImports(db),
  };
}
