// The importer's heartbeat as another process sees it.
import type { Database } from '../wire/database.ts';

export type ImporterState = {
  /** It has ended, because it was asked to or because it had to. */
  isEnded: boolean;
  /** Consensus instant (ns) in the name of the newest file of the source; null = not looked for, or there is none. */
  newestFile: bigint | null;
  /** Files and signatures that did not pass, of a thousand. */
  rejectedPermille: bigint;
  /** What one of the last blocks took. */
  blockMs: bigint;
  /** For how long a file has been missing; 0 = none is. */
  missingMs: bigint;
  missing: string | null;
  /** Why the source cannot be read, or the database not be written. */
  sourceProblem: string | null;
  writeProblem: string | null;
  /** File that the import stopped at because it cannot be proved. Kept until a block is stored again. */
  haltedFile: string | null;
  /** Why the import stopped; null = it did not, or was asked to. */
  haltedReason: string | null;
};

/** `seenMs`: time since the heartbeat. */
export type SeenImporter = ImporterState & { seenMs: bigint };

/** null = no importer has ever said anything here: a database that this program does not own, or a new one. */
export async function selectImporterState(db: Database): Promise<SeenImporter | null> {
  const [table] = await db.query<{ found: boolean | null }>({
    name: 'find-importer-state',
    text: `select has_table_privilege(to_regclass('importer_state'), 'select') as found`,
  });
  if (!table?.found) return null;
  const rows = await db.query<SeenImporter>({
    name: 'select-importer-state',
    text: `select is_ended as "isEnded", newest_file as "newestFile", rejected_permille as "rejectedPermille",
  block_ms as "blockMs", missing_ms as "missingMs", missing, source_problem as "sourceProblem",
  write_problem as "writeProblem", halted_file as "haltedFile", halted_reason as "haltedReason",
  greatest(0, extract(epoch from clock_timestamp() - seen_at) * 1000)::int8 as "seenMs"
from importer_state`,
  });
  return rows[0] ?? null;
}
