// `/{network}/schedules`: scheduled transactions, the newest first.
import { listSchedules } from '../../resources/schedules/list-schedules.ts';
import { memoColumn } from '../lists/entity-columns.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import { ofLinks } from '../page/links.ts';
import { badge } from '../parts/badge.ts';
import { idField, timeField } from '../parts/fields.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';

type ListedSchedule = ItemOf<typeof listSchedules>;

const scheduleColumns = ofLinks((links): readonly Column<ListedSchedule>[] => [
  {
    name: 'Id',
    narrow: 'title',
    show: ({ scheduleId }) => links.schedule(scheduleId),
    fields: [idField('schedule_id', ({ scheduleId }) => scheduleId)],
  },
  {
    name: 'Scheduled',
    narrow: 'end',
    show: ({ consensusTimestamp }) => moment(consensusTimestamp),
    fields: [timeField('consensus_timestamp', ({ consensusTimestamp }) => consensusTimestamp)],
  },
  {
    name: 'State',
    narrow: 'amount',
    show: ({ executedTimestamp, deleted }) => {
      if (executedTimestamp !== null) return badge('good', 'Executed');
      return deleted ? badge('bad', 'Deleted') : badge('plain', 'Not executed');
    },
    fields: [timeField('executed_timestamp', ({ executedTimestamp }) => executedTimestamp)],
  },
  {
    name: 'Creator',
    narrow: 'start',
    show: ({ creatorAccountId }) => links.account(creatorAccountId),
    fields: [idField('creator_account_id', ({ creatorAccountId }) => creatorAccountId)],
  },
  {
    name: 'Payer',
    narrow: 'none',
    show: ({ payerAccountId }) => links.account(payerAccountId),
    fields: [idField('payer_account_id', ({ payerAccountId }) => payerAccountId)],
  },
  { name: 'Signatures', narrow: 'none', isNumber: true, show: ({ signatures }) => signatures.length },
  memoColumn(60, 'none'),
]);

export const schedulesPage = listPage({
  path: '/schedules',
  title: () => 'Scheduled transactions',
  endpoint: listSchedules,
  items: itemsOfPage,
  columns: ({ links }) => scheduleColumns(links),
  none: 'No scheduled transaction fits.',
  order: 'desc',
  filters: [{ name: 'account.id', label: 'Creator', placeholder: '0.0.1234' }],
});
