// GET schedules/{id}: one scheduled transaction. It takes no query at all, which is judged before the path.
import type { Schedule } from '../../ledger/schedules/schedule.ts';
import { RequestError, refuse } from '../frame/request-error.ts';
import { parseEntityReference } from '../parameters/entity-reference.ts';
import type { Route, RouteContext } from '../route.ts';
import { formatScheduleBody } from './schedule-body.ts';

export function createScheduleRoute({ ledger, dialect, settings }: RouteContext): Route {
  return async ({ id, query }) => {
    if (query.length > 0) {
      throw new RequestError(query.map(({ name }) => ({ code: 'unknownParameter', data: { name } })));
    }
    const reference = dialect.forms.schedulePath.test(id) ? parseEntityReference(id, settings) : null;
    if (reference?.kind !== 'id') throw refuse('invalidParameter', { name: 'scheduleid' });
    const schedule = await ledger.schedule(reference.id);
    if (!schedule) throw refuse('notFound');
    const cacheControl = isFinal(schedule, settings.clock()) ? 'public, max-age=3600' : 'public, max-age=1';
    return { status: 200, body: formatScheduleBody(schedule, dialect), cacheControl };
  };
}

const second = 1_000_000_000n;
// A schedule without an expiration time of its own lives 30 minutes; each rule waits a little longer, for late records.
const graceWithoutExpiration = 31n * 60n * second;
const graceAfterExpiration = 60n * second;

/** Whether the answer cannot change any more. */
function isFinal({ executedTimestamp, entity, expirationTime, consensusTimestamp }: Schedule, now: bigint): boolean {
  if (executedTimestamp !== null || entity?.deleted) return true;
  if (expirationTime === null) return now >= consensusTimestamp + graceWithoutExpiration;
  return now >= expirationTime + graceAfterExpiration;
}
