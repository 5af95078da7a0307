// `/{network}/topics`: topics, the newest first. The API has no such list: what is asked here is asked as its lists
// are.

import { html } from '../../../packages/kit/markup.ts';
import { endpoint } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { idRange } from '../../api/reading/value/entity-id.ts';
import { boolean, entityId, text, timestamp } from '../../api/values/kinds.ts';
import { members, nullable } from '../../api/values/members.ts';
import { pageOf } from '../../api/values/page-of.ts';
import { createdColumn, memoColumn } from '../lists/entity-columns.ts';
import { type ItemOf, itemsOfPage, listPage } from '../lists/list-page.ts';
import { ofLinks } from '../page/links.ts';
import { badge } from '../parts/badge.ts';
import { idField } from '../parts/fields.ts';
import type { Column } from '../parts/table.ts';

const listTopics = endpoint({
  path: '/topics',
  id: 'listTopics',
  tag: 'Topics',
  summary: 'Topics',
  query: {
    'topic.id': idRange('Id of the topic.', { form: 'entity', kind: 'topic' }),
    ...page({ order: 'desc', by: 'topic id' }),
  },
  ask: ({ query }, { ledger }) => ledger.topics.list({ ...query, id: query['topic.id'] }),
  next: ['topic.id'],
  answer: pageOf(
    'topics',
    members({
      ...{ topic_id: entityId, created_timestamp: nullable(timestamp), deleted: nullable(boolean), memo: text },
    }),
    'Topics',
  ),
  fresh: 10,
});

type ListedTopic = ItemOf<typeof listTopics>;

const topicColumns = ofLinks((links): readonly Column<ListedTopic>[] => [
  {
    name: 'Id',
    narrow: 'title',
    show: ({ topicId, deleted }) => html`${links.topic(topicId)}${deleted ? html` ${badge('bad', 'Deleted')}` : null}`,
    fields: [idField('topic_id', ({ topicId }) => topicId)],
  },
  createdColumn,
  memoColumn(120),
]);

export const topicsPage = listPage({
  path: '/topics',
  title: () => 'Topics',
  endpoint: listTopics,
  items: itemsOfPage,
  columns: ({ links }) => topicColumns(links),
  none: 'No topic has been created yet.',
  json: null,
});
