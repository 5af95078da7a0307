// Rows of topics and their messages.
import type { SetupRow } from '../rows/setup-row.ts';

export function messageRow(topic_id: bigint, at: bigint, number: bigint, row: Record<string, unknown> = {}): SetupRow {
  return {
    table: 'topic_message',
    row: {
      ...{ topic_id, consensus_timestamp: at, sequence_number: number, message: Buffer.from(`message ${number}`) },
      ...{ payer_account_id: 1001n, running_hash: Buffer.alloc(48, Number(number % 256n)), running_hash_version: 3 },
      ...{ valid_start_timestamp: at - 5n },
      ...row,
    },
  };
}
