// `/{network}/topic/{topicId}/messages/{number}`: one message; if it is a part of a longer one, all of that.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { anyRange } from '../../../packages/kit/range.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { TopicMessage } from '../../ledger/topics/create-topic-messages.ts';
import { getTopicMessage } from '../../resources/topics/get-topic-message.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import { type Links, link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import { typedId } from '../page/typed-id.ts';
import { hexBytes } from '../parts/bytes.ts';
import { decodedBytes } from '../parts/decoded-bytes.ts';
import { facts } from '../parts/facts.ts';
import { heading, section } from '../parts/section.ts';
import { exactMoment } from '../parts/times.ts';

export const messagePage: Page = {
  path: '/topic/:topicId/messages/:sequenceNumber',
  ask: ({ params: { topicId = '', sequenceNumber = '' } }, context) =>
    context.snapshot(async ({ ask, ledger, links, settings }) => {
      const params = { topicId, sequenceNumber };
      const asked = ask(getTopicMessage, { params });
      const typed = numberForm.test(sequenceNumber) ? typedId(topicId, settings.system) : null;
      const findAfter = (id: bigint, number: bigint) => ledger.topicMessages.find(id, number + 1n);
      const [{ found: message }, parts, after] = await askTogether([
        asked,
        asked.then(({ found }) => findParts(found, ledger)),
        typed === null
          ? asked.then(({ found }) => findAfter(found.topicId, found.sequenceNumber))
          : findAfter(typed, BigInt(sequenceNumber)),
      ]);
      const own = links.path('topic', message.topicId);
      const number = message.sequenceNumber;
      return {
        title: `Message ${number} of ${links.idText(message.topicId)}`,
        json: pathOfJson(getTopicMessage, params),
        proofOf: `${links.idText(message.topicId)}/${number}`,
        main: html`${heading('Message', html`${number}`, html`of the topic ${links.topic(message.topicId)}`)}
${section({ id: 'message', title: 'Message' }, contentOf(message, parts, own))}
${section({ id: 'facts', title: 'Facts' }, messageFacts(message, links))}
<nav class="pager" aria-label="Other messages">${number > 1n ? link(`${own}/messages/${number - 1n}`, 'Message before') : null}${after === null ? null : link(`${own}/messages/${number + 1n}`, 'Message after')}</nav>`,
      };
    }),
};

/** Of an int64 with all that follows it. */
const numberForm = /^\d{1,18}$/;

/** A client splits a message into at most some tens of parts. */
const maxParts = 200;
/** Messages of others lie between the parts. */
const maxSpan = 1000n;
const pageSize = 250;

/** Every part that is known, by its number; null = the message is whole. */
async function findParts(message: TopicMessage, ledger: Ledger): Promise<Map<number, TopicMessage> | null> {
  const { chunkInfo, topicId, sequenceNumber } = message;
  if (chunkInfo === null || chunkInfo.total === null || chunkInfo.total < 2 || chunkInfo.total > maxParts) return null;
  const total = chunkInfo.total;
  const parts = new Map([[chunkInfo.number, message]]);
  const first = sequenceNumber - BigInt(chunkInfo.number) + 1n;
  const query = { topicId, timestamp: anyRange, limit: pageSize };
  for (const order of ['desc', 'asc'] as const) {
    let bound = sequenceNumber;
    let looked = 0n;
    // Parts lie close together: those before are looked for backwards, those after forwards.
    while (parts.size < total && looked < maxSpan && (order === 'asc' || bound > 1n)) {
      const range = order === 'asc' ? { from: bound + 1n, to: null } : { from: null, to: bound - 1n };
      const page = await ledger.topicMessages.list({ ...query, order, sequenceNumber: { ...anyRange, ...range } });
      for (const other of page.items) if (isOfSame(other, message)) parts.set(other.chunkInfo!.number, other);
      const last = page.items.at(-1);
      if (last === undefined || page.next === null) break;
      looked += BigInt(page.items.length);
      bound = last.sequenceNumber;
      const isComplete = order === 'desc' && first >= bound && parts.has(1);
      if (isComplete) break;
    }
  }
  return parts;
}

function isOfSame({ chunkInfo: one }: TopicMessage, { chunkInfo: other }: TopicMessage): boolean {
  const [a, b] = [one?.initialTransactionId, other?.initialTransactionId];
  if (!a || !b || one!.total !== other!.total) return false;
  return a.accountId === b.accountId && a.transactionValidStart === b.transactionValidStart && a.nonce === b.nonce;
}

function contentOf(message: TopicMessage, parts: Map<number, TopicMessage> | null, own: string): Markup {
  if (parts === null) {
    const { kind, shown } = decodedBytes(message.message, { max: 16_000 });
    return html`${shown}<p class="faint">${message.message.length} bytes, read as ${kind}.</p>`;
  }
  const { number, total } = message.chunkInfo!;
  const numbers = Array.from({ length: total! }, (_, at) => at + 1);
  const missing = numbers.filter((one) => !parts.has(one));
  const known = numbers.filter((one) => parts.has(one));
  const bytes = Buffer.concat(known.map((one) => parts.get(one)!.message));
  const { kind, shown } = decodedBytes(bytes, { max: 16_000 });
  const gap =
    missing.length === 0 ? null : html`<p class="notice">Parts that were not found near it: ${missing.join(', ')}.</p>`;
  const ways = known.map((one) =>
    one === number
      ? html`<li>part ${one}, this message</li>`
      : html`<li>${link(`${own}/messages/${parts.get(one)!.sequenceNumber}`, `part ${one}`)}</li>`,
  );
  return html`${gap}${shown}<p class="faint">${bytes.length} bytes of ${known.length} parts, read as ${kind}.</p><ul class="inline">${ways}</ul>`;
}

function messageFacts(message: TopicMessage, links: Links): Markup {
  const { consensusTimestamp, payerAccountId, runningHash, runningHashVersion } = message;
  return facts([
    ['Time', html`<a href="${links.transactionPath(consensusTimestamp)}">${exactMoment(consensusTimestamp)}</a>`],
    ['Sender', links.account(payerAccountId)],
    ['Running hash', hexBytes(runningHash)],
    ['Its version', runningHash === null ? null : html`${runningHashVersion}`],
    ['Bytes', hexBytes(message.message)],
  ]);
}
