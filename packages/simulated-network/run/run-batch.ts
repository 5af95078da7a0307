// The inner transactions of a batch, right after it: all of them succeed, or only their fees remain.

import type { Ledger } from '../ledger/ledger.ts';
import type { Prices } from '../ledger/prices.ts';
import { createOutcome, type Moment, type Outcome } from '../transactions/execution.ts';
import type { Call, Done } from './call.ts';
import type { Executor } from './execute.ts';
import { itemsOf } from './items-of.ts';
import type { StreamItem } from './stream-item.ts';
import { openSigned, type SignedTransaction } from './submission.ts';

/** Records before an inner transaction, such as those of accounts that it creates. */
const maxPrecedingOfInner = 4;

type Parts = { ledger: Ledger; prices: Prices; executor: Executor };
type InnerRun = SignedTransaction & { call: Call; done: Done; at: bigint };

/** @param next The next free consensus time. Changes the status of the batch if an inner transaction fails. */
export type RunBatch = (batch: Done, moment: Moment, next: () => bigint) => Promise<StreamItem[]>;

export function createRunBatch({ ledger, prices, executor }: Parts): RunBatch {
  async function runUntilOneFails(batch: Done, moment: Moment, next: () => bigint): Promise<InnerRun[]> {
    const runs: InnerRun[] = [];
    for (const bytes of batch.outcome.innerTransactions) {
      const signed = openSigned(bytes);
      const call = { ...signed.call, fee: prices.fee(signed.call.kind) };
      for (let child = 0; child < maxPrecedingOfInner; child++) next();
      const at = next();
      const done = await executor.execute(call, { ...moment, consensusTimestamp: at });
      for (const _ of done.outcome.following) next();
      runs.push({ ...signed, call, done, at });
      if (done.status !== 'SUCCESS') break;
    }
    return runs;
  }

  /** What remains of it when the batch is undone: what was paid, and the record of the one that failed. */
  function undo({ call, done }: InnerRun, moment: Moment): Done {
    const mark = ledger.mark();
    const { gas, usedNonce } = done.outcome;
    const amount = done.fee - (gas?.amount ?? 0n);
    executor.payDues({ fee: { payer: call.payer, amount }, gas, usedNonce }, moment);
    const reverted =
      done.status === 'SUCCESS' ? { status: 'REVERTED_SUCCESS' as const, outcome: undoneOutcome(done.outcome) } : null;
    return { ...done, ...reverted, rewards: [], balances: ledger.balanceChanges(mark) };
  }

  return async (batch, moment, next) => {
    const start = ledger.mark();
    const runs = await runUntilOneFails(batch, moment, next);
    if (runs.some(({ done }) => done.status !== 'SUCCESS')) {
      batch.status = 'INNER_TRANSACTION_FAILED';
      ledger.rollback(start);
      for (const run of runs) run.done = undo(run, moment);
    }
    return runs.flatMap(({ bytes, body, call, done, at }) => {
      const inner = {
        kind: call.kind,
        consensusTimestamp: at,
        parentConsensusTimestamp: moment.consensusTimestamp,
        signedTransactionBytes: bytes,
        transactionId: body.transactionID!,
        memo: body.memo ?? '',
        scheduleRef: null,
        rates: null,
        isInner: true,
      };
      return itemsOf(inner, done).all;
    });
  };
}

/**
 * The record of an undone call keeps the result, without its logs and contracts; that of an undone creation names no
 * contract.
 */
function undoneOutcome({ receipt, record }: Outcome): Outcome {
  const { contractCallResult: call, contractCreateResult: create, ethereumHash } = record;
  if (!call && !create) return createOutcome();
  const undone = { logInfo: [], bloom: undefined, createdContractIDs: [] };
  return {
    ...createOutcome(),
    receipt: call && receipt.contractID ? { contractID: receipt.contractID } : {},
    record: {
      ...(call ? { contractCallResult: { ...call, ...undone } } : { contractCreateResult: { ...create, ...undone } }),
      ethereumHash,
    },
  };
}
