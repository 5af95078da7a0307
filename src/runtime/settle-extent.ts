// Which part of the ledger this import stores: what the settings say while the database is empty, what it was begun with
// later. Both must agree: a database that began elsewhere would have a gap that no answer shows.
import { formatStartPoint, parseStartPoint, type StartPoint } from '../importer/extent/stream-point.ts';
import { selectOldestBlock, selectToldExtent, type ToldExtent } from '../store/read/select-mirror-extent.ts';
import { openDatabase } from '../store/wire/database.ts';
import { upsertMirrorExtent } from '../store/write/upsert-mirror-extent.ts';
import type { Settings } from './settings/load-settings.ts';
import { UsageError } from './settings/usage-error.ts';

export type SettledExtent = { start: StartPoint };

/** Throws UsageError where the settings contradict a database that is filled. */
export async function settleExtent(options: { connectionString: string; settings: Settings }): Promise<SettledExtent> {
  const { connectionString, settings } = options;
  const given = settings.find('from');
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    // Before blocks told it, every database began with the first unit of its source.
    const told = (await selectToldExtent(db)) ?? toldByDefault;
    const oldest = await selectOldestBlock(db);
    if (oldest === null) {
      const begunAt = given ? formatStartPoint(given) : told.begunAt;
      await upsertMirrorExtent(db, { ...told, begunAt });
      return { start: readStart(begunAt) };
    }
    if (given && formatStartPoint(given) !== told.begunAt) {
      throw new UsageError(
        `This database was begun with --from ${told.begunAt} (its first block is ${oldest.number}), not with --from ${formatStartPoint(given)}. Leave --from out, or import into an empty database with --data-dir or DATABASE_URL.`,
      );
    }
    return { start: readStart(told.begunAt) };
  } finally {
    await db.close();
  }
}

const toldByDefault: ToldExtent = { begunAt: 'genesis', included: null, excluded: null, keptFrom: null };

function readStart(text: string): StartPoint {
  const start = parseStartPoint(text);
  if (start) return start;
  throw new Error(`The database names an unknown start: "${text}" (column begun_at of mirror_extent).`);
}
