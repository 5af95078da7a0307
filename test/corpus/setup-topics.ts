// Rows of topic messages.
import type { Maker } from './setup-row.ts';
import { toBytes, toId } from './setup-values.ts';

export const toTopicMessage: Maker = (item, system) => [
  {
    table: 'topic_message',
    row: {
      running_hash_version: 2n,
      ...item,
      initial_transaction_id: toBytes(item.initial_transaction_id),
      message: item.message === undefined ? Buffer.from('message') : toBytes(item.message),
      payer_account_id: toId(item.payer_account_id === undefined ? 3n : item.payer_account_id, system),
      running_hash: item.running_hash === undefined ? Buffer.from('running_hash') : toBytes(item.running_hash),
      topic_id: toId(item.topic_id, system),
    },
  },
];
