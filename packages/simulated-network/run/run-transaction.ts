// From a submitted transaction to its items in the stream, with those of the inner transactions of a batch and of
// schedules that became ready.

import type { Moment, Outcome, Status, World } from '../transactions/execution.ts';
import { createExecutor } from './execute.ts';
import { itemsOf } from './items-of.ts';
import { createRunBatch } from './run-batch.ts';
import { createScheduleRunner, type ScheduleRunner } from './run-schedule.ts';
import type { StreamItem } from './stream-item.ts';
import { type StreamUnit, toStreamUnit } from './stream-unit.ts';
import { createSubmissions, type Submission } from './submission.ts';

type Result = { status: Status; receipt: Outcome['receipt']; unit: StreamUnit };

export type TransactionRunner = {
  run(submission: Submission, moment: Moment): Promise<Result>;
  runDueSchedules: ScheduleRunner['runDue'];
  /** A signed inner transaction for a batch. */
  sign(submission: Submission, moment: Moment): Uint8Array;
};

export function createTransactionRunner(world: World): TransactionRunner {
  const { ledger, prices } = world;
  const submissions = createSubmissions(world);
  const executor = createExecutor(world);
  const runBatch = createRunBatch({ ledger, prices, executor });
  const schedules = createScheduleRunner({ ledger, prices, executor });

  async function runSchedules(ids: readonly bigint[], moment: Moment, next: () => bigint): Promise<StreamItem[]> {
    const items: StreamItem[] = [];
    for (const id of ids) {
      next();
      const consensusTimestamp = next();
      const executed = await schedules.run(ledger.tables.schedules.get(id)!, { ...moment, consensusTimestamp });
      items.push(...(executed?.all ?? []));
    }
    return items;
  }

  async function run(submission: Submission, moment: Moment): Promise<Result> {
    const start = ledger.mark();
    const { bytes, body, call } = submissions.sign(submission, moment);
    const done = await executor.execute({ ...call, fee: submissions.fee(submission) }, moment);
    let last = moment.consensusTimestamp + BigInt(done.outcome.following.length);
    const next = () => {
      last += 1n;
      return last;
    };
    const inner = done.status === 'SUCCESS' ? await runBatch(done, moment, next) : [];
    const scheduled = await runSchedules(done.outcome.readySchedules, moment, next);
    const main = itemsOf(
      {
        kind: call.kind,
        consensusTimestamp: moment.consensusTimestamp,
        parentConsensusTimestamp: null,
        signedTransactionBytes: bytes,
        transactionId: body.transactionID!,
        memo: body.memo ?? '',
        scheduleRef: null,
        rates: submission.synthetic ? null : prices.rates(),
        highVolumeMultiplier: submission.highVolumeMultiplier,
      },
      done,
    );
    const unit = toStreamUnit(ledger, start, [...main.all, ...inner, ...scheduled], main.item);
    return { status: done.status, receipt: done.outcome.receipt, unit };
  }

  return {
    run,
    runDueSchedules: schedules.runDue,
    sign: (submission, moment) => submissions.sign(submission, moment).bytes,
  };
}
