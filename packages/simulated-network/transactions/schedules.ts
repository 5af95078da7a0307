// Schedules: create, sign, delete. The runner finds out whether one is ready: it tries it with the signatures collected
// so far.
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { accountId, nsPerSecond, scheduleId, timestamp } from '../ledger/hapi-values.ts';
import type { Schedule } from '../ledger/ledger.ts';
import { encodeKey } from '../ledger/signing-keys.ts';
import { assertSigned, type Execution, livingAccount, reject, type Status } from './execution.ts';

const defaultLifetimeSeconds = 1800n;

export function createSchedule(x: Execution, data: proto.IScheduleCreateTransactionBody): void {
  if (!data.scheduledTransactionBody) reject('INVALID_TRANSACTION_BODY');
  const adminKey = data.adminKey ? encodeKey(data.adminKey) : null;
  if (adminKey) assertSigned(x, adminKey);
  const payer = data.payerAccountID ? livingAccount(x, toEntityId(data.payerAccountID)).id : x.payer;
  const expiration = data.expirationTime
    ? toBigInt(data.expirationTime.seconds) * nsPerSecond
    : x.consensusTimestamp + defaultLifetimeSeconds * nsPerSecond;
  if (expiration <= x.consensusTimestamp) reject('SCHEDULE_EXPIRATION_TIME_MUST_BE_HIGHER_THAN_CONSENSUS_TIME');
  const id = x.ledger.take('nextEntity');
  x.ledger.put('schedules', id, {
    id,
    body: proto.SchedulableTransactionBody.encode(data.scheduledTransactionBody).finish(),
    creator: x.payer,
    payer,
    adminKey,
    signers: [...x.signers],
    validStart: x.identity.validStart,
    expiration,
    waitForExpiry: data.waitForExpiry ?? false,
    state: 'pending',
  });
  answer(x, x.ledger.tables.schedules.get(id)!);
}

export function signSchedule(x: Execution, data: proto.IScheduleSignTransactionBody): void {
  const schedule = pendingSchedule(x, data.scheduleID);
  const signers = [...new Set([...schedule.signers, ...x.signers])];
  if (signers.length === schedule.signers.length) reject('NO_NEW_VALID_SIGNATURES');
  x.ledger.change('schedules', schedule.id, { signers });
  answer(x, schedule);
}

export function deleteSchedule(x: Execution, data: proto.IScheduleDeleteTransactionBody): void {
  const schedule = pendingSchedule(x, data.scheduleID);
  if (!schedule.adminKey) reject('SCHEDULE_IS_IMMUTABLE');
  assertSigned(x, schedule.adminKey);
  x.ledger.change('schedules', schedule.id, { state: 'deleted' });
  x.outcome.receipt.scheduleID = scheduleId(schedule.id);
}

/** The identity of the transaction that a schedule holds. */
export function scheduledIdentity(schedule: Schedule): proto.ITransactionID {
  return {
    accountID: accountId(schedule.creator),
    transactionValidStart: timestamp(schedule.validStart),
    scheduled: true,
  };
}

function answer(x: Execution, schedule: Schedule): void {
  x.outcome.receipt.scheduleID = scheduleId(schedule.id);
  x.outcome.receipt.scheduledTransactionID = scheduledIdentity(schedule);
  if (!schedule.waitForExpiry) x.outcome.readySchedules.push(schedule.id);
}

const finalStatus: Record<Exclude<Schedule['state'], 'pending'>, Status> = {
  executed: 'SCHEDULE_ALREADY_EXECUTED',
  deleted: 'SCHEDULE_ALREADY_DELETED',
  expired: 'INVALID_SCHEDULE_ID',
};

function pendingSchedule(x: Execution, id: proto.IScheduleID | null | undefined): Schedule {
  const schedule = x.ledger.tables.schedules.get(toEntityId(id));
  if (!schedule) reject('INVALID_SCHEDULE_ID');
  if (schedule.state !== 'pending') reject(finalStatus[schedule.state]);
  return schedule;
}
