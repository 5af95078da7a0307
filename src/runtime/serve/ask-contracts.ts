// What contracts of the ledger answer verification: calls like those of clients, each in the share of the client for whom
// the question is asked.
import { isOverload } from '../../../packages/kit/shares/cause.ts';
import { VerificationError } from '../../../packages/verification/terms/verification-error.ts';
import type { Calls } from '../../calls/create-calls.ts';
import { ThreadLost } from '../../calls/pool/call-pool.ts';
import type { AskContract } from '../../contracts/onchain/ledger-chain.ts';

/** Diamonds of a hundred functions need less than a million to list their facets. */
const gas = 5_000_000;

export function askContracts(calls: Pick<Calls, 'ask'>): AskContract {
  return async (to, data) => {
    const call = {
      from: null,
      to,
      value: 0n,
      data,
      gas,
      paysValue: false,
      estimate: false,
      block: null,
      overrides: [],
    };
    const answer = await calls.ask(call).catch((error: unknown) => {
      throw isOverload(error) || error instanceof ThreadLost ? notNow(error) : error;
    });
    if (answer.kind === 'throttled') throw notNow();
    // What fails, does not end in its limits, or needs what is not simulated, has no answer.
    return answer.kind === 'finished' && answer.run.status === 'SUCCESS' ? Buffer.from(answer.run.output) : null;
  };
}

function notNow(cause?: unknown): VerificationError {
  const message = 'More contracts are asked than can answer. Try again in a second.';
  return new VerificationError('too_many_jobs', message, { cause, retryAfterSeconds: 1 });
}
