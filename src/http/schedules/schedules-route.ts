// GET schedules: a page of scheduled transactions, by schedule id.
import type { IdCondition } from '../../ledger/schedules/schedule.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import { refuse } from '../frame/request-error.ts';
import { formatNextLink } from '../parameters/next-link.ts';
import {
  type EntityCondition,
  everyOperator,
  readEntityId,
  readLimit,
  readOrder,
} from '../parameters/parameter-readers.ts';
import { readParameters } from '../parameters/query-parameters.ts';
import type { Route, RouteContext } from '../route.ts';
import { formatSchedulesBody } from './schedule-body.ts';

export function createSchedulesRoute({ ledger, dialect, settings }: RouteContext): Route {
  const readId = readEntityId(dialect.forms.scheduleQuery, settings, everyOperator);

  return async ({ path, query, limitMax }) => {
    const values = readParameters(
      query,
      {
        'account.id': readId,
        limit: readLimit((requested) => dialect.pageSize(requested, limitMax)),
        order: readOrder,
        'schedule.id': readId,
      },
      settings.maxRepeatedParameters,
    );
    const accountIds = toIdConditions(values['account.id']);
    const scheduleIds = toIdConditions(values['schedule.id']);
    const order = values.order.at(-1) ?? 'asc';
    const limit = values.limit.at(-1) ?? settings.limitDefault;
    const schedules =
      accountIds && scheduleIds ? await ledger.schedules({ accountIds, scheduleIds, order, limit }) : [];
    const last = schedules.length === limit ? schedules.at(-1)!.scheduleId : null;
    const next =
      last === null
        ? null
        : formatNextLink({
            path,
            query,
            key: 'schedule.id',
            order,
            conditions: scheduleIds!.map(({ operator, id }) => ({ operator, value: id })),
            last: { text: formatEntityId(last), value: last },
            repeatsEqual: dialect.linksRepeatEqual,
          });
    return {
      status: 200,
      body: formatSchedulesBody(schedules, next, dialect),
      cacheControl: 'public, max-age=10',
      next,
    };
  };
}

/** null = nothing can match: schedules and their creators have no EVM addresses of their own to be found by. */
function toIdConditions(conditions: readonly EntityCondition[]): IdCondition[] | null {
  const ids: IdCondition[] = [];
  let matchable = true;
  for (const { operator, reference } of conditions) {
    if (reference.kind === 'id') ids.push({ operator, id: reference.id });
    else if (reference.kind === 'evmAddress' && !reference.foreign) matchable = false;
    else throw refuse('invalidEntityId', { id: reference.padded });
  }
  return matchable ? ids : null;
}
