// Jobs: checks whose result is fetched later, by job id. They are kept for thirty days.
import type { Database } from '../../postgres/wire/database.ts';

export type VerificationJobRow = {
  id: string;
  chainId: bigint;
  address: Buffer;
  startedAt: Date;
  finishedAt: Date | null;
  compilationMs: number | null;
  /** JSON texts. */
  error: string | null;
  outcome: string | null;
};

export async function insertVerificationJob(
  db: Database,
  job: { id: string; chainId: bigint; address: Buffer },
): Promise<void> {
  await db.query({
    name: 'insert-verification-job',
    text: `with old as (delete from verification_job where started_at < now() - interval '30 days')
insert into verification_job (id, chain_id, address) values ($1, $2, $3)`,
    values: [job.id, job.chainId, job.address],
  });
}

export type FinishedJob = { id: string; compilationMs: number | null; error: string | null; outcome: string | null };

export async function finishVerificationJob(db: Database, job: FinishedJob): Promise<void> {
  await db.query({
    name: 'finish-verification-job',
    text: `update verification_job set finished_at = now(), compilation_ms = $2, error = $3, outcome = $4
where id = $1 and finished_at is null`,
    values: [job.id, job.compilationMs, job.error, job.outcome],
  });
}

/** A check that no client waited for, stored when it has ended; replaces an earlier one of the same id. */
export async function upsertFinishedJob(
  db: Database,
  job: FinishedJob & { chainId: bigint; address: Buffer; startedAt: Date },
): Promise<void> {
  await db.query({
    name: 'upsert-finished-job',
    text: `insert into verification_job (id, chain_id, address, started_at, finished_at, compilation_ms, error, outcome)
values ($1, $2, $3, $4, now(), $5, $6, $7) on conflict (id) do update set started_at = excluded.started_at,
  finished_at = excluded.finished_at, compilation_ms = excluded.compilation_ms, error = excluded.error,
  outcome = excluded.outcome`,
    values: [job.id, job.chainId, job.address, job.startedAt, job.compilationMs, job.error, job.outcome],
  });
}

export async function selectVerificationJob(db: Database, id: string): Promise<VerificationJobRow | null> {
  const rows = await db.query<VerificationJobRow>({
    name: 'select-verification-job',
    reads: true,
    text: `select id, chain_id, address, started_at, finished_at, compilation_ms, error::text, outcome::text
from verification_job where id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}
