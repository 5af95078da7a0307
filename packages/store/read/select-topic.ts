// A topic with columns of its entity and its custom fees. Each of the three may be missing.

import type { Database } from '../../postgres/wire/database.ts';
import type { JsonValue } from '../../postgres/wire/values.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { asTexts, columns, type Replace, type RowOf, selectAll, selectQuery } from './statement/columns.ts';

export type TopicRow = Replace<RowOf<typeof storedRow>, { fixedFees: JsonValue }>;

export async function selectTopic(db: Database, topicId: bigint): Promise<TopicRow | null> {
  const query = selectQuery({
    name: 'select-topic',
    select: storedRow,
    from: `from topic t
left join entity e on e.id = t.id
left join custom_fee f on f.entity_id = t.id
where t.id = $1`,
    values: [topicId],
  });
  const row = (await db.query(query))[0];
  return row ? { ...row, fixedFees: parseExactJson(row.fixedFees) } : null;
}

const storedRow = selectAll(
  columns('topic', ['admin_key', 'fee_exempt_key_list', 'fee_schedule_key', 'submit_key'], 't'),
  columns('topic', { topic_id: 'id' }, 't'),
  selectAll(
    columns('entity', ['auto_renew_period', 'created_timestamp', 'deleted', 'memo'], 'e'),
    columns('entity', { auto_renew_account: 'auto_renew_account_id', timestamp: 'timestamp_range' }, 'e'),
  ).optional(),
  columns('custom_fee', { fees_validity: 'timestamp_range' }, 'f').nullable(),
  asTexts('custom_fee', ['fixed_fees'], 'f').nullable(),
);
