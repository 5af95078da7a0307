// Messages of a topic as rows of a list.
import { html } from '../../../packages/kit/markup.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import { link, ofLinks } from '../page/links.ts';
import { decodedBytes } from '../parts/decoded-bytes.ts';
import { idField } from '../parts/fields.ts';
import type { Column } from '../parts/table.ts';
import { moment } from '../parts/times.ts';

/** Characters of a message in a list; the whole of it has a page, where JSON is easier to read. */
const brief = 600;

export const messageColumns = ofLinks((links): readonly Column<TopicMessage>[] => [
  {
    name: 'Number',
    narrow: 'title',
    show: ({ topicId, sequenceNumber }) =>
      link(`${links.path('topic', topicId)}/messages/${sequenceNumber}`, `#${sequenceNumber}`),
    fields: [{ name: 'sequence_number', text: ({ sequenceNumber }) => sequenceNumber.toString() }],
  },
  {
    name: 'Time',
    narrow: 'amount',
    show: ({ consensusTimestamp }) => moment(consensusTimestamp),
    fields: [{ name: 'consensus_timestamp', text: ({ consensusTimestamp }) => formatTimestamp(consensusTimestamp) }],
  },
  {
    name: 'Sender',
    narrow: 'start',
    show: ({ payerAccountId }) => links.account(payerAccountId),
    fields: [idField('payer', ({ payerAccountId }) => payerAccountId ?? 0n)],
  },
  {
    name: 'Message',
    narrow: 'below',
    show: ({ message, chunkInfo, topicId, sequenceNumber }) => {
      const isPart = chunkInfo !== null && chunkInfo.total !== null && chunkInfo.total > 1;
      const part = isPart
        ? html`<p class="faint">Part ${chunkInfo.number} of ${chunkInfo.total!} &ndash; ${link(`${links.path('topic', topicId)}/messages/${sequenceNumber}`, 'the whole message')}</p>`
        : null;
      return html`${part}${decodedBytes(message, { max: brief, isAsWritten: true }).shown}`;
    },
    fields: [
      { name: 'message_base64', text: ({ message }) => Buffer.from(message).toString('base64') },
      {
        name: 'chunk',
        text: ({ chunkInfo }) => (chunkInfo === null ? '' : `${chunkInfo.number}/${chunkInfo.total ?? ''}`),
      },
    ],
  },
]);
