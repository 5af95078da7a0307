// A verification job in Sourcify's shape.
import { toChecksumAddress } from '../../abi/checksum-address.ts';
import { toHex } from '../terms/hex.ts';
import type { VerificationJob } from '../verification-jobs.ts';
import { betterMatch, formatSeconds, toMatchWord } from './verified-contract-body.ts';

export function formatJob(job: VerificationJob): Record<string, unknown> {
  const { finishedAt, error, outcome } = job;
  const creationMatch = toMatchWord(outcome?.creationMatch);
  const runtimeMatch = toMatchWord(outcome?.runtimeMatch);
  return {
    isJobCompleted: finishedAt !== null,
    verificationId: job.id,
    jobStartTime: formatSeconds(job.startedAt),
    ...(finishedAt && { jobFinishTime: formatSeconds(finishedAt) }),
    ...(job.compilationMs !== null && { compilationTime: String(job.compilationMs) }),
    ...(error && { error }),
    ...(outcome?.creationProblem && { creationProblem: outcome.creationProblem }),
    contract: {
      match: betterMatch(creationMatch, runtimeMatch),
      creationMatch,
      runtimeMatch,
      chainId: job.chainId.toString(),
      address: toChecksumAddress(toHex(job.address)),
      ...(outcome?.verifiedAt && { verifiedAt: formatSeconds(new Date(outcome.verifiedAt)), matchId: outcome.matchId }),
    },
  };
}
