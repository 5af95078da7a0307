// GET schedules: a page of scheduled transactions, by schedule id.
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { allHold } from '../../api/reading/query/conditions.ts';
import { accountRange, idRange } from '../../api/reading/value/entity-id.ts';
import { createSchedulesKind } from './schedule-members.ts';

export const listSchedules = endpoint({
  path: '/api/v1/schedules',
  id: 'listSchedules',
  tag: 'Schedules',
  summary: 'Scheduled transactions with their signatures',
  query: {
    'account.id': accountRange(`Id of the account that created the schedule. ${allHold}`),
    ...page({ order: 'asc', by: 'schedule id' }),
    'schedule.id': idRange(`Id of the schedule. ${allHold}`, { form: 'entity', kind: 'schedule' }),
  },
  ask: ({ query }, { ledger }) =>
    ledger.schedules.list({ ...query, accountId: query['account.id'], scheduleId: query['schedule.id'] }),
  next: ['schedule.id'],
  answer: createSchedulesKind,
  fresh: 10,
  example: { text: 'scheduled transactions' },
});
