// The importer's heartbeat: its state, at the time of the database's clock.

import type { Database } from '../../postgres/wire/database.ts';
import type { ImporterState } from '../read/select-importer-state.ts';

export async function upsertImporterState(db: Database, state: ImporterState): Promise<void> {
  await db.query({
    name: 'upsert-importer-state',
    text: `insert into importer_state (id, seen_at, is_ended, newest_file, rejected_permille, block_ms, missing_ms, missing,
  source_problem, write_problem, halted_file, halted_reason)
values (1, clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (id) do update set seen_at = excluded.seen_at, is_ended = excluded.is_ended, newest_file = excluded.newest_file,
  rejected_permille = excluded.rejected_permille, block_ms = excluded.block_ms, missing_ms = excluded.missing_ms,
  missing = excluded.missing, source_problem = excluded.source_problem, write_problem = excluded.write_problem,
  halted_file = excluded.halted_file, halted_reason = excluded.halted_reason`,
    values: [
      state.isEnded,
      state.newestFile,
      state.rejectedPermille,
      state.blockMs,
      state.missingMs,
      state.missing,
      state.sourceProblem,
      state.writeProblem,
      state.haltedFile,
      state.haltedReason,
    ],
  });
}
