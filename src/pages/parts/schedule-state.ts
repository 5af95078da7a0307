// What became of a schedule, in words.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { ScheduleRow } from '../../../packages/store/read/select-schedules.ts';
import { badge } from './badge.ts';
import { moment } from './times.ts';

type State = { mark: Markup; sentence: MarkupValue };

/** Without an expiration time, ns. */
const usualLife = 30n * 60n * 1_000_000_000n;

type Judged = Pick<ScheduleRow, 'consensusTimestamp' | 'deleted' | 'executedTimestamp' | 'expirationTime'>;

/** `now` in ns. */
export function scheduleState(schedule: Judged, now: bigint): State {
  const { consensusTimestamp, deleted, executedTimestamp, expirationTime } = schedule;
  if (executedTimestamp !== null) {
    return { mark: badge('good', 'Executed'), sentence: html`It was executed at ${moment(executedTimestamp)}.` };
  }
  if (deleted) return { mark: badge('bad', 'Deleted'), sentence: 'It was deleted before it was executed.' };
  const end = expirationTime ?? consensusTimestamp + usualLife;
  if (now > end) {
    return { mark: badge('warn', 'Expired'), sentence: html`It expired at ${moment(end)} without being executed.` };
  }
  return { mark: badge('plain', 'Pending'), sentence: html`It waits for signatures until ${moment(end)}.` };
}
