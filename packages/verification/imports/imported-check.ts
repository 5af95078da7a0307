// Finished checks of imported matches, stored as jobs: a later run passes over what has been refused. The id of such a
// job follows from what was compared, so that other sources, or other code on the chain, are another check.
import { hash } from 'node:crypto';
import type { Database } from '../../postgres/wire/database.ts';
import { codeHashOf, hashClaim } from '../archive/verification-archive.ts';
import { selectVerificationJob, upsertFinishedJob } from '../store/verification-jobs.ts';
import { fromHex } from '../terms/hex.ts';
import type { OnchainContract } from '../terms/onchain-contract.ts';
import type { SourceClaim } from '../terms/source-claim.ts';

/** A UUID, version 8. */
export function importedCheckId(onchain: OnchainContract, claim: SourceClaim): string {
  const { chainId, address, creationCodes } = onchain;
  const codes = [codeHashOf(onchain)?.toString('hex') ?? null, creationCodes.map((code) => hash('sha256', code))];
  const identity = JSON.stringify(['import', chainId, address, hashClaim(claim).toString('hex'), codes]);
  const digits = hash('sha256', identity);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`];
  return [...parts, digits.slice(20, 32)].join('-');
}

export async function findImportedCheck(db: Database, id: string): Promise<'matched' | 'refused' | null> {
  const job = await selectVerificationJob(db, id);
  if (job === null || job.finishedAt === null) return null;
  return job.error === null ? 'matched' : 'refused';
}

export type ImportedCheck = {
  id: string;
  onchain: OnchainContract;
  startedAt: Date;
  compilationMs: number | null;
  /** null = it matched. */
  refusal: { code: string; message: string } | null;
  outcome: object | null;
};

export async function keepImportedCheck(db: Database, check: ImportedCheck): Promise<void> {
  const { id, onchain, startedAt, compilationMs, refusal, outcome } = check;
  await upsertFinishedJob(db, {
    id,
    chainId: BigInt(onchain.chainId),
    address: fromHex(onchain.address),
    startedAt,
    compilationMs: compilationMs === null ? null : Math.round(compilationMs),
    error: refusal && JSON.stringify({ customCode: refusal.code, message: refusal.message, errorId: id }),
    outcome: outcome && JSON.stringify(outcome),
  });
}
