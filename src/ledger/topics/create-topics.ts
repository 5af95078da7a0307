// Topics: their keys, and the cost of a message.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { proto } from '../../../packages/protocol/hapi/hapi.ts';
import { selectEntityType } from '../../../packages/store/read/select-search-target.ts';
import { selectTopic } from '../../../packages/store/read/select-topic.ts';
import { selectTopicPage, type TopicsFilter } from '../../../packages/store/read/select-topic-page.ts';
import { askPage } from '../question/page.ts';
import { toFixedFees } from '../tokens/custom-fees.ts';

export type TopicPart = 'topic' | 'entity' | 'customFee';

export function createTopics({ db }: { db: Database }) {
  return {
    /** Kind of the entity of this id, such as `TOPIC`; null = there is none. */
    kindOf: (id: bigint): Promise<string | null> => selectEntityType(db, id),
    /** By id, including deleted ones. */
    list: (query: TopicsFilter) =>
      askPage(
        query,
        (filter) => selectTopicPage(db, filter),
        (last) => last.topicId,
      ),
    /** What is missing, if the topic is incomplete. */
    async find(topicId: bigint) {
      const missing = (part: TopicPart) => ({ missing: part });
      const row = await selectTopic(db, topicId);
      if (!row) return missing('topic');
      if (row.timestamp === null) return missing('entity');
      if (row.feesValidity === null) return missing('customFee');
      return {
        ...row,
        customFees: { createdTimestamp: row.feesValidity.from, fixedFees: toFixedFees(row.fixedFees) },
        feeExemptKeyList: toKeys(row.feeExemptKeyList),
      };
    },
  };
}

/** Each key of the list, serialized. */
function toKeys(list: Buffer | null): Uint8Array[] {
  if (list === null) return [];
  const { keys } = proto.FeeExemptKeyList.decode(list);
  return (keys ?? []).map((key) => proto.Key.encode(key).finish());
}
