// GET schedules: a page of scheduled transactions, by schedule id.
import { endpoint } from '../../endpoint/endpoint.ts';
import { page } from '../../reading/page/page.ts';
import { idRange } from '../../reading/value/entity-id.ts';
import { createSchedulesKind } from './schedule-members.ts';

const allHold = 'Of several, all must hold.';

export const listSchedules = endpoint({
  path: '/api/v1/schedules',
  id: 'listSchedules',
  tag: 'Schedules',
  summary: 'Scheduled transactions with the signatures they have',
  query: {
    'account.id': idRange(`Id of the account that created the schedule. ${allHold}`, {
      form: 'entity',
      kind: 'account',
    }),
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
