// Rows of topic messages.
import type { JsonValue } from '../../postgres/wire/values.ts';
import type { Maker } from './setup-row.ts';
import { toBytes, toId } from './setup-values.ts';

export const toTopicMessage: Maker = (item, system) => [
  {
    table: 'topic_message',
    row: {
      running_hash_version: 2n,
      ...item,
      initial_transaction_id: toBytes(item.initial_transaction_id),
      message: toStoredText(item.message, 'message'),
      payer_account_id: toId(item.payer_account_id === undefined ? 3n : item.payer_account_id, system),
      running_hash: toStoredText(item.running_hash, 'running_hash'),
      topic_id: toId(item.topic_id, system),
    },
  },
];

/** Bytes as the mirror node's tests store them: a text unchanged, a list in the array syntax of PostgreSQL. */
function toStoredText(value: JsonValue | undefined, usual: string): Buffer | null {
  if (value === null) return null;
  if (Array.isArray(value)) return Buffer.from(`{${value.map((part) => `"${String(part)}"`).join(',')}}`);
  return Buffer.from(value === undefined ? usual : String(value));
}
