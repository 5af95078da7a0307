// A page of topics by id, including deleted ones.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { columns, type RowOf } from './statement/columns.ts';

export type ListedTopicRow = RowOf<typeof listedTopic>;

export type TopicsFilter = PageFilter & { id: Range };

const listedTopic = columns('entity', {
  ...{ topic_id: 'id', created_timestamp: 'created_timestamp', deleted: 'deleted', memo: 'memo' },
});

export function selectTopicPage(db: Database, { id, ...page }: TopicsFilter): Promise<ListedTopicRow[]> {
  return selectPage(db, page, {
    name: 'select-topic-page',
    select: listedTopic,
    from: `entity where type = 'TOPIC'`,
    values: [],
    keys: { id },
  });
}
