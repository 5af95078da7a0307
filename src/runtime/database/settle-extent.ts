// Which part of the ledger this import stores: from the settings while the database is empty, later from the database.
// Both must agree: a database that began elsewhere would have a gap that no answer shows.

import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import {
  type StoredExtent,
  selectOldestBlock,
  selectStoredExtent,
} from '../../../packages/store/read/select-mirror-extent.ts';
import { upsertMirrorExtent } from '../../../packages/store/write/upsert-mirror-extent.ts';
import {
  type FilterTerms,
  formatFilterTerms,
  parseFilterTerms,
  type StreamFilter,
} from '../../importer/extent/stream-filter.ts';
import {
  formatStartPoint,
  parseStartPoint,
  type StartPoint,
  type StreamPoint,
} from '../../importer/extent/stream-point.ts';
import type { Settings } from '../settings/load-settings.ts';
import { UsageError } from '../settings/usage-error.ts';

export type SettledExtent = { start: StartPoint; filter: StreamFilter | undefined };

/** Throws UsageError if the settings contradict a filled database. */
export async function settleExtent(options: { connectionString: string; settings: Settings }): Promise<SettledExtent> {
  const { connectionString, settings } = options;
  const [from, include, exclude] = [settings.find('from'), settings.find('include'), settings.find('exclude')];
  const given = {
    begunAt: from && formatStartPoint(from),
    included: include && formatFilterTerms(include),
    excluded: exclude && formatFilterTerms(exclude),
  };
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    // Earlier versions stored nothing about this: they began with the first unit and stored everything.
    const stored = (await selectStoredExtent(db)) ?? storedByDefault;
    const oldest = await selectOldestBlock(db);
    if (oldest !== null) {
      assertSame('from', given.begunAt, stored.begunAt, oldest.number);
      assertSame('include', given.included, stored.included, oldest.number);
      assertSame('exclude', given.excluded, stored.excluded, oldest.number);
      return toSettled(stored);
    }
    const asked = {
      begunAt: given.begunAt ?? stored.begunAt,
      included: given.included ?? stored.included,
      excluded: given.excluded ?? stored.excluded,
    };
    const settled = toSettled(asked);
    refuseEndBeforeStart(settled.start, settings.find('until'));
    await upsertMirrorExtent(db, asked);
    return settled;
  } finally {
    await db.close();
  }
}

const storedByDefault = { begunAt: 'genesis', included: null, excluded: null };
type Asked = Pick<StoredExtent, 'begunAt' | 'included' | 'excluded'>;

function assertSame(name: string, given: string | undefined, stored: string | null, firstBlock: bigint): void {
  if (given === undefined || given === stored) return;
  const was = stored === null ? `without --${name}` : `with --${name} ${stored}`;
  throw new UsageError(
    `This database was begun ${was} (its first block is ${firstBlock}), not with --${name} ${given}. Leave --${name} out, or import into an empty database with --data-dir or DATABASE_URL.`,
  );
}

/** A moment and a block cannot be compared: it is not known yet which comes first. */
function refuseEndBeforeStart(start: StartPoint, until: StreamPoint | undefined): void {
  const isTooEarly =
    (start.kind === 'timestamp' && until?.kind === 'timestamp' && until.timestamp < start.timestamp) ||
    (start.kind === 'block' && until?.kind === 'block' && until.number < start.number);
  if (!isTooEarly) return;
  throw new UsageError(
    `--until ${formatStartPoint(until)} lies before --from ${formatStartPoint(start)}, where the database begins: there is nothing to import. Name a later end, or an earlier beginning.`,
  );
}

function toSettled({ begunAt, included, excluded }: Asked): SettledExtent {
  const filter = { included: readTerms('included', included), excluded: readTerms('excluded', excluded) };
  const isFiltered = filter.included !== null || filter.excluded !== null;
  return { start: readStart(begunAt), filter: isFiltered ? filter : undefined };
}

function readTerms(column: string, text: string | null): FilterTerms | null {
  const terms = text === null ? null : parseFilterTerms(text);
  if (text !== null && terms === null) throw unknownValue(column, text);
  return terms;
}

function readStart(text: string): StartPoint {
  const start = parseStartPoint(text);
  if (!start) throw unknownValue('begun_at', text);
  return start;
}

function unknownValue(column: string, text: string): Error {
  return new Error(
    `The database holds "${text}" in the column ${column} of mirror_extent, which this version does not know.`,
  );
}
