// `/{network}/topic/{topicId}`: a topic and its messages, the newest first.

import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { Finds } from '../../api/endpoint/endpoint.ts';
import { getTopic } from '../../resources/topics/get-topic.ts';
import { listTopicMessages } from '../../resources/topics/list-topic-messages.ts';
import { listPage, pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import { type Links, link } from '../page/links.ts';
import type { Page, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { badge } from '../parts/badge.ts';
import { code } from '../parts/bytes.ts';
import { facts } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { keyTree } from '../parts/key-tree.ts';
import { liveFeed, newMessages } from '../parts/live-feed.ts';
import { heading, section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { exactMoment, formatDuration } from '../parts/times.ts';
import { messageColumns } from './message-columns.ts';
import { topicFees } from './topic-fees.ts';

type Topic = typeof getTopic extends Finds<infer T> ? T : never;

const brief = 25;

export const topicPage: Page = {
  path: '/topic/:topicId',
  ask: ({ params: { topicId = '' } }, context) => context.snapshot((inner) => showTopic(topicId, inner)),
};

async function showTopic(id: string, context: PageContext) {
  const { ask, links } = context;
  const [{ found: topic }, { found }] = await askTogether([
    ask(getTopic, { params: { id } }),
    ask(listTopicMessages, { params: { topicId: id }, queryText: `order=desc&limit=${brief}` }),
  ]);
  const name = links.idText(topic.topicId);
  const own = links.path('topic', topic.topicId);
  const messages = table(messageColumns(links), found.items, {
    caption: 'Newest messages',
    none: 'None has been sent.',
  });
  return {
    title: `Topic ${name}`,
    json: pathOfJson(getTopic, { id }),
    main: html`${topicHeading(topic, links)}
<div class="grid">${section({ id: 'facts', title: 'Facts' }, topicFacts(topic, links))}
<div>${section({ id: 'fees', title: 'What a message costs' }, topicFees(topic, links))}
${section({ id: 'keys', title: 'Keys' }, topicKeys(topic, links))}</div></div>
<div${liveFeed(newMessages(name), context)}>${section(
      { id: 'messages', title: 'Newest messages', beside: link(`${own}/messages?order=desc`, 'All messages') },
      messages,
    )}</div>`,
  };
}

function topicHeading({ topicId, deleted }: Topic, links: Links): Markup {
  return html`${heading('Topic', links.idText(topicId), deleted ? badge('bad', 'Deleted') : null)}${links.labelLine(topicId)}`;
}

function topicFacts(topic: Topic, links: Links): Markup {
  const { topicId, memo, createdTimestamp, autoRenewPeriod, timestamp } = topic;
  return facts([
    ['Id', code(links.idText(topicId))],
    ['Memo', foreignText(memo, { max: 500 })],
    [
      'Created',
      createdTimestamp === null
        ? null
        : html`<a href="${links.transactionPath(createdTimestamp)}">${exactMoment(createdTimestamp)}</a>`,
    ],
    ['Changed', timestamp.from === createdTimestamp ? null : exactMoment(timestamp.from)],
    ['Renewed by', links.account(topic.autoRenewAccount)],
    ['Renewed for', autoRenewPeriod === null ? null : formatDuration(autoRenewPeriod)],
    ['Who may send', topic.submitKey === null ? 'Everyone' : 'Who has the submit key'],
  ]);
}

function topicKeys({ adminKey, submitKey, feeScheduleKey, feeExemptKeyList }: Topic, links: Links): Markup {
  return facts([
    ['Admin', adminKey === null ? 'Nobody: it cannot be changed' : keyTree(adminKey, links)],
    ['Submit', submitKey === null ? null : keyTree(submitKey, links)],
    ['Fee schedule', feeScheduleKey === null ? null : keyTree(feeScheduleKey, links)],
    [
      'Free of fees',
      feeExemptKeyList.length === 0
        ? null
        : html`<ul class="tree">${feeExemptKeyList.slice(0, 50).map((key) => html`<li>${keyTree(key, links)}</li>`)}</ul>`,
    ],
  ]);
}

export const topicMessagesPage = listPage({
  path: '/topic/:topicId/messages',
  title: ({ params }) => `Messages of ${params.topicId}`,
  open: async ({ params }: PageRequest, { ask }: PageContext) =>
    (await ask(getTopic, { params: { id: params.topicId! } })).found,
  heading: (_request, { links }, topic) => topicHeading(topic, links),
  endpoint: listTopicMessages,
  params: ({ params }: PageRequest) => ({ topicId: params.topicId! }),
  items: ({ items }) => items,
  columns: ({ links }) => messageColumns(links),
  none: 'No message fits.',
  numbered: ({ sequenceNumber }) => sequenceNumber,
  live: ({ params }) => newMessages(params.topicId!),
});
