// Schedules that execute: those that have all signatures, and at their expiry those that wait for it.

import { proto } from '../../protocol/hapi/hapi.ts';
import { encodeTransactionBody } from '../formats/encode-transaction.ts';
import { duration } from '../ledger/hapi-values.ts';
import type { Ledger, Schedule } from '../ledger/ledger.ts';
import type { Prices } from '../ledger/prices.ts';
import type { Moment } from '../transactions/execution.ts';
import type { SubmittedKind } from '../transactions/handlers.ts';
import { scheduledIdentity } from '../transactions/schedules.ts';
import type { Call } from './call.ts';
import type { Executor } from './execute.ts';
import { type Items, itemsOf } from './items-of.ts';
import { type StreamUnit, toStreamUnit } from './stream-unit.ts';

type Parts = { ledger: Ledger; prices: Prices; executor: Executor };

export type ScheduleRunner = {
  /** null if a signature is missing. */
  run(schedule: Schedule, moment: Moment): Promise<Items | null>;
  /** Expired schedules: those that wait for their expiry execute, the others are removed. */
  runDue(moment: Moment): Promise<StreamUnit[]>;
};

export function createScheduleRunner({ ledger, prices, executor }: Parts): ScheduleRunner {
  async function isMissingSignatures(call: Call, moment: Moment): Promise<boolean> {
    const mark = ledger.mark();
    const probe = { isMissing: false };
    await executor.execute(call, moment, probe);
    ledger.rollback(mark);
    return probe.isMissing;
  }

  async function run(schedule: Schedule, moment: Moment): Promise<Items | null> {
    const body = proto.SchedulableTransactionBody.decode(schedule.body);
    const kind = body.data as SubmittedKind;
    const data = body[kind as keyof typeof body] as object;
    const call: Call = {
      kind,
      data,
      identity: { payer: schedule.creator, validStart: schedule.validStart, scheduled: true, nonce: 0 },
      payer: schedule.payer,
      signers: new Set(schedule.signers),
      fee: prices.fee(kind),
      maxCustomFees: [],
    };
    if (await isMissingSignatures(call, moment)) return null;
    ledger.change('schedules', schedule.id, { state: 'executed' });
    const done = await executor.execute(call, moment);
    const transactionId = scheduledIdentity(schedule);
    const bodyBytes = encodeTransactionBody({
      transactionID: transactionId,
      transactionFee: body.transactionFee,
      transactionValidDuration: duration(120n),
      memo: body.memo,
      [kind]: data,
    });
    const main = {
      kind,
      consensusTimestamp: moment.consensusTimestamp,
      parentConsensusTimestamp: null,
      signedTransactionBytes: proto.SignedTransaction.encode({ bodyBytes }).finish(),
      transactionId,
      memo: body.memo,
      scheduleRef: schedule.id,
      rates: prices.rates(),
    };
    return itemsOf(main, done);
  }

  async function runDue(moment: Moment): Promise<StreamUnit[]> {
    const units: StreamUnit[] = [];
    let count = 0;
    for (const schedule of ledger.tables.schedules.values()) {
      if (schedule.state !== 'pending' || schedule.expiration > moment.consensusTimestamp) continue;
      const start = ledger.mark();
      const at = moment.consensusTimestamp + BigInt(count * 10);
      const executed = schedule.waitForExpiry ? await run(schedule, { ...moment, consensusTimestamp: at }) : null;
      if (!executed) {
        ledger.change('schedules', schedule.id, { state: 'expired' });
        continue;
      }
      units.push(toStreamUnit(ledger, start, executed.all, executed.item));
      count += executed.all.length;
    }
    return units;
  }

  return { run, runDue };
}
