// GET schedules/{scheduleId}: one scheduled transaction. It takes no query at all, which is validated before the path.

import type { ScheduleRow } from '../../../packages/store/read/select-schedules.ts';
import { endpoint, legacyReading } from '../../api/endpoint/endpoint.ts';
import { idInPath } from '../../api/reading/value/entity-id.ts';
import { createScheduleKind } from './schedule-members.ts';

export const getSchedule = endpoint({
  path: '/api/v1/schedules/{scheduleId}',
  id: 'getSchedule',
  tag: 'Schedules',
  summary: 'A scheduled transaction with the signatures it has',
  in: {
    scheduleId: idInPath({
      form: 'schedule',
      kind: 'schedule',
      refusedAs: 'scheduleid',
      description: 'Id of the schedule.',
    }),
  },
  peer: legacyReading,
  ask: ({ path }, { ledger }) => ledger.schedules.find(path.scheduleId),
  answer: createScheduleKind,
  fresh: (schedule, { settings }) => (isFinal(schedule, settings.clock()) ? 3600 : 1),
  example: {
    text: 'one scheduled transaction',
    find: ({ scheduleId }) => scheduleId,
    missing: 'nothing has been scheduled yet',
  },
});

const second = 1_000_000_000n;
// A schedule without an expiration time expires after 30 minutes; both rules allow some more time, for late records.
const graceWithoutExpiration = 31n * 60n * second;
const graceAfterExpiration = 60n * second;

/** Whether the answer cannot change any more. */
function isFinal(schedule: ScheduleRow, now: bigint): boolean {
  const { executedTimestamp, deleted, expirationTime, consensusTimestamp } = schedule;
  if (executedTimestamp !== null || deleted) return true;
  if (expirationTime === null) return now >= consensusTimestamp + graceWithoutExpiration;
  return now >= expirationTime + graceAfterExpiration;
}
