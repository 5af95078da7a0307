// How far a bootstrap is, at the time of the database's clock: written on a connection of its own, never in the
// transaction of a file.
import type { Database } from '../../postgres/wire/database.ts';

/** `rows`: until all files are loaded. `indexes`: until the tables have all of theirs. */
type BootstrapStep = 'rows' | 'indexes' | 'checks';

export type BootstrapProgress = {
  step: BootstrapStep;
  /** Share of the step, 0 to 1. */
  done: number;
  /** With those that earlier runs have loaded. */
  files: { done: number; all: number };
  /** `all`: null = the manifest does not say. */
  rows: { done: number; all: number | null };
  rowsPerSecond: number;
  /** Of the step; null = unknown. */
  msLeft: number | null;
};

/** `problem`: why it has ended, if that was not its end. */
export type BootstrapEnd = { isEnded: boolean; problem: string | null };

export async function upsertBootstrapProgress(
  db: Database,
  { step, done, files, rows, rowsPerSecond, msLeft }: BootstrapProgress,
  { isEnded, problem }: BootstrapEnd,
): Promise<void> {
  await db.query({
    name: 'upsert-bootstrap-progress',
    text: `insert into bootstrap_progress (id, seen_at, is_ended, step, done_permille, files_done, files_all, rows_done, rows_all,
  rows_per_second, ms_left, problem)
values (1, clock_timestamp(), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
on conflict (id) do update set seen_at = excluded.seen_at, is_ended = excluded.is_ended, step = excluded.step,
  done_permille = excluded.done_permille, files_done = excluded.files_done, files_all = excluded.files_all,
  rows_done = excluded.rows_done, rows_all = excluded.rows_all, rows_per_second = excluded.rows_per_second,
  ms_left = excluded.ms_left, problem = excluded.problem`,
    values: [
      isEnded,
      step,
      Math.floor(1000 * done),
      files.done,
      files.all,
      rows.done,
      rows.all,
      Math.round(rowsPerSecond),
      msLeft === null ? null : Math.round(msLeft),
      problem,
    ],
  });
}
