// Topics of the consensus service and their messages.
import { byId, rowsOfMoment, versioned } from './facts.ts';
import type { Table } from './table.ts';

export const topicTables = {
  topic: {
    ...versioned,
    key: ['id'],
    placement: byId('id', 'joined to its entity and its fees'),
    answers: { without: 'topics are not found' },
    columns: {
      admin_key: { type: 'bytea' },
      created_timestamp: { type: 'int8', merge: 'keep' },
      fee_exempt_key_list: { type: 'bytea' },
      fee_schedule_key: { type: 'bytea' },
      id: { type: 'int8', required: true },
      submit_key: { type: 'bytea' },
      timestamp_range: { type: 'int8range', required: true },
    },
  },
  topic_message: {
    ...rowsOfMoment,
    key: ['consensus_timestamp'],
    placement: byId('topic_id', 'the messages of one topic'),
    answers: { without: 'topics list no messages' },
    columns: {
      chunk_num: { type: 'int4' },
      chunk_total: { type: 'int4' },
      consensus_timestamp: { type: 'int8', required: true },
      /** Serialized TransactionID of the first chunk. */
      initial_transaction_id: { type: 'bytea' },
      message: { type: 'bytea', required: true },
      payer_account_id: { type: 'int8' },
      running_hash: { type: 'bytea' },
      running_hash_version: { type: 'int2' },
      sequence_number: { type: 'int8', required: true },
      topic_id: { type: 'int8', touched: true, required: true },
      valid_start_timestamp: { type: 'int8' },
    },
    indexes: ['(topic_id, consensus_timestamp)', '(topic_id, sequence_number)'],
  },
} as const satisfies Record<string, Table>;
