import { selectOldestBlock, selectToldExtent } from '../../store/read/select-mirror-extent.ts';
import type { Database } from '../../store/wire/database.ts';
import type { Extent } from './extent.ts';
import { findOlderImports } from './older-imports.ts';

/** null = nothing is stored yet. */
export async function findExtent(db: Database): Promise<Extent | null> {
  const [told, oldest] = [await selectToldExtent(db), await selectOldestBlock(db)];
  if (!oldest) return null;
  const isCut = told !== null && told.keptFrom !== null;
  return {
    firstBlock: oldest.number,
    from: oldest.consensusStart,
    knowsBeginning: told?.knowsBeginning ?? oldest.isFirst,
    isCut,
    included: told?.included ?? null,
    excluded: told?.excluded ?? null,
    olderImports: await findOlderImports(db),
  };
}
