// Transactions as rows of a list.

import { html } from '../../../packages/kit/markup.ts';
import { responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import type { Links } from '../page/links.ts';
import { formatPlainFraction, hbar } from '../parts/amounts.ts';
import { resultBadge } from '../parts/badge.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';
import { typeWords } from '../parts/transaction-words.ts';

export function transactionColumns(links: Links): readonly Column<LedgerTransaction>[] {
  return [
    {
      name: 'Id',
      show: (item) => links.transaction(item),
      fields: [
        { name: 'transaction_id', text: (item) => formatTransactionId({ ...item, payerId: item.payerAccountId }) },
      ],
    },
    {
      name: 'Time',
      show: ({ consensusTimestamp }) => moment(consensusTimestamp),
      fields: [{ name: 'consensus_timestamp', text: ({ consensusTimestamp }) => formatTimestamp(consensusTimestamp) }],
    },
    {
      name: 'Type',
      show: ({ type, scheduled }) =>
        html`${typeWords(type)}${scheduled ? html` <span class="faint">scheduled</span>` : null}`,
      fields: [{ name: 'type', text: ({ type }) => transactionTypeName(type) }],
    },
    {
      name: 'About',
      show: (item) => links.subject(item),
    },
    {
      name: 'Result',
      show: ({ result }) => resultBadge(result),
      fields: [{ name: 'result', text: ({ result }) => responseCodeName(result) }],
    },
    {
      name: 'Fee',
      isNumber: true,
      show: ({ chargedTxFee }) => (chargedTxFee === null ? null : hbar(chargedTxFee)),
      fields: [
        {
          name: 'fee_hbar',
          text: ({ chargedTxFee }) => (chargedTxFee === null ? '' : formatPlainFraction(chargedTxFee, 8)),
        },
      ],
    },
  ];
}
