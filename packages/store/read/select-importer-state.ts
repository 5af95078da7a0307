// The importer's heartbeat, read by another process.
import type { Database } from '../../postgres/wire/database.ts';
import { canRead, selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

const importerState = selectAll(
  // It has ended, by request or because of a failure.
  expression('isEnded', 'bool', 'is_ended'),
  // Consensus instant (ns) in the name of the newest file of the source; null = not determined, or there is none.
  expression('newestFile', 'int8', 'newest_file').nullable(),
  // Rejected files and signatures, per thousand.
  expression('rejectedPermille', 'int8', 'rejected_permille'),
  // Time that one of the last blocks took.
  expression('blockMs', 'int8', 'block_ms'),
  // For how long a file has been missing; 0 = none is.
  expression('missingMs', 'int8', 'missing_ms'),
  expression('missing', 'text', 'missing').nullable(),
  // Why the source cannot be read, or the database not be written.
  expression('sourceProblem', 'text', 'source_problem').nullable(),
  expression('writeProblem', 'text', 'write_problem').nullable(),
  // File that cannot be proved, at which the import stopped. Kept until a block is stored again.
  expression('haltedFile', 'text', 'halted_file').nullable(),
  // Why the import stopped; null = it did not, or by request.
  expression('haltedReason', 'text', 'halted_reason').nullable(),
);
export type ImporterState = RowOf<typeof importerState>;

const seenImporter = selectAll(
  importerState,
  expression('seenMs', 'int8', 'greatest(0, extract(epoch from clock_timestamp() - seen_at) * 1000)::int8'),
);
/** `seenMs`: time since the heartbeat. */
export type SeenImporter = RowOf<typeof seenImporter>;

/** null = no importer has ever reported: a database that this program does not own, or a new one. */
export async function selectImporterState(db: Database): Promise<SeenImporter | null> {
  if (!(await canRead(db, 'importer_state'))) return null;
  return selectOne(db, { name: 'select-importer-state', select: seenImporter, from: 'from importer_state' });
}
