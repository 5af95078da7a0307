// `/{network}/schedule/{id}`: what is scheduled, who has signed it, and what became of it.

import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { tryDecode } from '../../../packages/protocol/hapi/decode-message.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import type { ScheduleRow } from '../../../packages/store/read/select-schedules.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { getSchedule } from '../../resources/schedules/get-schedule.ts';
import { pathOfJson } from '../lists/list-page.ts';
import type { Links } from '../page/links.ts';
import type { Page, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount } from '../parts/amounts.ts';
import { resultBadge } from '../parts/badge.ts';
import { hexBytes } from '../parts/bytes.ts';
import { type Fact, facts } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { keyTree } from '../parts/key-tree.ts';
import { listWindow } from '../parts/list-window.ts';
import { messageTree } from '../parts/message-tree.ts';
import { scheduleState } from '../parts/schedule-state.ts';
import { scheduledWords } from '../parts/scheduled-words.ts';
import { heading, section } from '../parts/section.ts';
import { signatureKind } from '../parts/signature-kinds.ts';
import { type Column, table } from '../parts/table.ts';
import { exactMoment, moment } from '../parts/times.ts';
import { valueTree } from '../parts/value-tree.ts';
import { findTransactionAt } from '../transactions/find-transaction-at.ts';

export const schedulePage: Page = {
  path: '/schedule/:scheduleId',
  ask: (request, context) =>
    context.snapshot(async (own) => {
      const { found: schedule } = await own.ask(getSchedule, { params: { scheduleId: request.params.scheduleId! } });
      return showSchedule(schedule, request, own);
    }),
};

async function showSchedule(schedule: ScheduleRow, request: PageRequest, { ledger, links, settings }: PageContext) {
  const { consensusTimestamp, executedTimestamp, scheduleId, signatures } = schedule;
  const creation = await findTransactionAt(consensusTimestamp, ledger);
  const execution = executedTimestamp === null ? null : await findTransactionAt(executedTimestamp, ledger);
  const state = scheduleState(schedule, settings.clock());
  const id = formatEntityId(scheduleId);
  const body = tryDecode(proto.SchedulableTransactionBody, schedule.transactionBody);
  const what = scheduledWords(body);
  const { shown, pager } = listWindow(signatures, request, { name: 'signatures', id: 'signatures' });
  return {
    title: `Schedule ${id}`,
    json: pathOfJson(getSchedule, { scheduleId: id }),
    ...(creation === null ? {} : { proofOf: idOf(creation) }),
    main: html`${heading('Schedule', id, state.mark)}
<p class="lead">${links.account(schedule.creatorAccountId)} scheduled a transaction${what === null ? '' : `: ${what}`}. ${state.sentence}</p>
<div class="card">${facts(factsOf(schedule, { creation, execution }, links))}</div>
${section({ id: 'body', title: 'What is scheduled' }, [
  body === null
    ? html`<p class="notice">These bytes are no transaction that can be read.</p>`
    : valueTree(messageTree(body, links), 'Body of the scheduled transaction'),
  html`<h3>Bytes</h3><div>${hexBytes(schedule.transactionBody, { max: 2048 })}</div>`,
])}
${section(
  {
    id: 'signatures',
    title: 'Who has signed',
    beside: html`<span class="faint">${formatCount(signatures.length)}</span>`,
  },
  [table(signatureColumns, shown, { caption: 'Signatures of the schedule', none: 'Nobody has signed it yet.' }), pager],
)}`,
  };
}

type Around = { creation: LedgerTransaction | null; execution: LedgerTransaction | null };

function factsOf(schedule: ScheduleRow, { creation, execution }: Around, links: Links): Fact[] {
  const { consensusTimestamp, executedTimestamp, expirationTime, waitForExpiry, adminKey, memo } = schedule;
  return [
    ['Created by', links.account(schedule.creatorAccountId)],
    ['Paid by', links.account(schedule.payerAccountId)],
    ['Created', html`${exactMoment(consensusTimestamp)} ${creation === null ? null : links.transaction(creation)}`],
    [
      'Executed',
      executedTimestamp === null ? null : html`${exactMoment(executedTimestamp)} ${showExecution(execution, links)}`,
    ],
    ['Expires', expirationTime === null ? 'Half an hour after its creation' : exactMoment(expirationTime)],
    ['Executed when', waitForExpiry ? 'It expires, if it has all signatures then' : 'It has all signatures'],
    ['Memo', foreignText(memo ?? '')],
    [
      'Admin key',
      adminKey === null ? html`<span class="faint">none: nobody can delete it</span>` : keyTree(adminKey, links),
    ],
  ];
}

function showExecution(execution: LedgerTransaction | null, links: Links): MarkupValue {
  return execution === null ? null : html`${links.transaction(execution)} ${resultBadge(execution.result)}`;
}

type Signature = ScheduleRow['signatures'][number];

const signatureColumns: readonly Column<Signature>[] = [
  { name: 'Time', narrow: 'end', show: ({ consensusTimestamp }) => moment(consensusTimestamp) },
  { name: 'Public key', narrow: 'title', show: ({ publicKeyPrefix }) => hexBytes(publicKeyPrefix) },
  { name: 'Kind', narrow: 'start', show: ({ type }) => signatureKind(type) },
  {
    name: 'Signature',
    narrow: 'below',
    narrowName: 'before',
    show: ({ signature }) => hexBytes(signature, { folded: 16 }),
  },
];

function idOf({ payerAccountId, validStart }: LedgerTransaction): string {
  return formatTransactionId({ payerId: payerAccountId, validStart });
}
