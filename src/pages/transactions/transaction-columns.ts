// Transactions as rows of a list: who, what, how much.

import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { isSuccess, responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import { readSentCall } from '../../calls/names/read-sent-call.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import { type Links, ofLinks } from '../page/links.ts';
import { formatCount, formatPlainFraction, hbar } from '../parts/amounts.ts';
import { resultBadge } from '../parts/badge.ts';
import { briefCall } from '../parts/brief-call.ts';
import { decodeText } from '../parts/decode-text.ts';
import { idField } from '../parts/fields.ts';
import { foreignText } from '../parts/foreign-text.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';
import type { BriefMovement, ListedTransaction } from './listed-transaction.ts';
import { formatMoved } from './transfers-section.ts';

/** Which transaction it is, when, of which type, and whether it failed. */
export const namingColumns = ofLinks((links): readonly Column<LedgerTransaction>[] => [
  {
    name: 'Id',
    narrow: 'none',
    show: (item) => links.transaction(item),
    fields: [
      { name: 'transaction_id', text: (item) => formatTransactionId({ ...item, payerId: item.payerAccountId }) },
    ],
  },
  {
    name: 'Time',
    narrow: 'end',
    show: ({ consensusTimestamp }) => moment(consensusTimestamp),
    fields: [{ name: 'consensus_timestamp', text: ({ consensusTimestamp }) => formatTimestamp(consensusTimestamp) }],
  },
  {
    name: 'Type',
    narrow: 'title',
    show: (item) => html`${links.transaction(item, typeWords(item.type))}${showRemarks(item)}`,
    fields: [
      { name: 'type', text: ({ type }) => transactionTypeName(type) },
      { name: 'result', text: ({ result }) => responseCodeName(result) },
    ],
  },
]);

/** With `links.transaction` of the same item before it. */
function showRemarks(item: LedgerTransaction): MarkupValue {
  const { result, scheduled, memo } = item;
  const called = readSentCall(item);
  const decoded = memo === null || memo.length === 0 ? null : decodeText(memo, { isAsWritten: true });
  return [
    scheduled ? html` <span class="faint">scheduled</span>` : null,
    isSuccess(result) ? null : html` ${resultBadge(result)}`,
    called === null ? null : html`<div class="memo">${briefCall({ ...called, arguments: [] })}</div>`,
    decoded === null || decoded.kind === 'bytes'
      ? null
      : html`<div class="faint memo">${foreignText(decoded.text, { max: maxMemo })}</div>`,
  ];
}

/** Characters of a memo in a list. */
const maxMemo = 40;

export const transactionColumns = ofLinks((links): readonly Column<ListedTransaction>[] => [
  ...namingColumns(links),
  {
    name: 'From',
    narrow: 'start',
    show: (item) => html`${links.account(giverOf(item))}${showOthers(item.brief?.from)}`,
    fields: [idField('from', (item) => giverOf(item))],
  },
  {
    name: 'To',
    narrow: 'to',
    show: (item) => showReceiver(item, links),
    fields: [{ name: 'to', text: (item) => plainId(subjectOf(item) ?? item.brief?.to.accountId ?? null) }],
  },
  {
    name: 'Amount',
    narrow: 'amount',
    isNumber: true,
    show: ({ brief, units }) => (brief === null ? null : showAmount(brief, units)),
    fields: [
      { name: 'amount', text: ({ brief, units }) => (brief === null ? '' : plainAmount(brief, units)) },
      {
        name: 'amount_of',
        text: ({ brief }) =>
          brief === null ? '' : 'tokenId' in brief.movement ? formatEntityId(brief.movement.tokenId) : 'hbar',
      },
    ],
  },
  {
    name: 'Fee',
    narrow: 'none',
    isNumber: true,
    show: ({ chargedTxFee }) => (chargedTxFee === null ? null : hbar(chargedTxFee)),
    fields: [
      {
        name: 'fee_hbar',
        text: ({ chargedTxFee }) => (chargedTxFee === null ? '' : formatPlainFraction(chargedTxFee, 8)),
      },
    ],
  },
]);

/** Who gave what it moved; without such a movement who paid. */
function giverOf({ brief, payerAccountId }: ListedTransaction): bigint {
  return brief?.from.accountId ?? payerAccountId;
}

/** What it was about, where that is not a side of the transfer itself. */
function subjectOf({ entityId }: LedgerTransaction): bigint | null {
  return entityId === 0n ? null : entityId;
}

function showReceiver(item: ListedTransaction, links: Links): MarkupValue {
  if (subjectOf(item) !== null) return links.subject(item);
  return item.brief === null ? null : html`${links.account(item.brief.to.accountId)}${showOthers(item.brief.to)}`;
}

function showOthers(side: BriefMovement['from'] | undefined): MarkupValue {
  return !side || side.others === 0 ? null : html`&nbsp;<span class="faint others">+${formatCount(side.others)}</span>`;
}

function showAmount(brief: BriefMovement, units: ListedTransaction['units']): MarkupValue {
  const { movement, amount, others } = brief;
  const more = others === 0 ? null : html` <span class="faint">+${formatCount(others)}</span>`;
  const of = movement.kind === 'nft' ? html` ${units.unit(movement.tokenId)}` : null;
  return html`${formatMoved(movement, amount, { units })}${of}${more}`;
}

function plainAmount({ movement, amount }: BriefMovement, units: ListedTransaction['units']): string {
  if (movement.kind === 'token') return units.plain(movement.tokenId, amount);
  return movement.kind === 'nft' ? amount.toString() : formatPlainFraction(amount, 8);
}

function plainId(id: bigint | null): string {
  return id === null ? '' : formatEntityId(id);
}
