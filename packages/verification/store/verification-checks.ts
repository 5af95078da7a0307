// The last finished check of each contract against its explorer record, with its answer.
import type { Database } from '../../postgres/wire/database.ts';

export type VerificationCheckRow = {
  checkedAt: Date;
  /** SHA-256 of the record that was checked. */
  claimHash: Buffer;
  /** SHA-256 of the code on chain at that time; null = unknown. */
  runtimeCodeHash: Buffer | null;
  /** JSON text. */
  answer: string;
};

export async function selectVerificationCheck(
  db: Database,
  chainId: bigint,
  address: Buffer,
): Promise<VerificationCheckRow | null> {
  const rows = await db.query<VerificationCheckRow>({
    name: 'select-verification-check',
    reads: true,
    text: `select checked_at, claim_hash, runtime_code_hash, answer::text from verification_check
where chain_id = $1 and address = $2`,
    values: [chainId, address],
  });
  return rows[0] ?? null;
}

export type NewVerificationCheck = {
  chainId: bigint;
  address: Buffer;
  claimHash: Buffer;
  runtimeCodeHash: Buffer | null;
  answer: string;
};

export async function upsertVerificationCheck(db: Database, check: NewVerificationCheck): Promise<void> {
  await db.query({
    name: 'upsert-verification-check',
    text: `insert into verification_check (chain_id, address, claim_hash, runtime_code_hash, answer)
values ($1, $2, $3, $4, $5) on conflict (chain_id, address) do update set checked_at = now(),
  claim_hash = excluded.claim_hash, runtime_code_hash = excluded.runtime_code_hash, answer = excluded.answer`,
    values: [check.chainId, check.address, check.claimHash, check.runtimeCodeHash, check.answer],
  });
}
