// Topics: who may do what with them, and what a message costs.
import { proto } from '../../protocol/hapi/hapi.ts';
import { selectTopic, type TopicRow } from '../../store/read/select-topic.ts';
import type { Database } from '../../store/wire/database.ts';
import { toFixedFees } from '../tokens/custom-fees.ts';
import type { FixedFee } from '../tokens/token.ts';

export type Topic = {
  topicId: bigint;
  adminKey: Buffer | null;
  autoRenewAccountId: bigint | null;
  /** Seconds. */
  autoRenewPeriod: bigint | null;
  createdTimestamp: bigint | null;
  customFees: { createdTimestamp: bigint; fixedFees: FixedFee[] };
  deleted: boolean | null;
  /** Serialized keys. */
  feeExemptKeys: Uint8Array[];
  feeScheduleKey: Buffer | null;
  memo: string;
  submitKey: Buffer | null;
  /** To: exclusive; null = until now. */
  valid: { from: bigint; to: bigint | null };
};

export type TopicPart = 'topic' | 'entity' | 'customFee';

export type Topics = {
  /** What of it is missing, where it cannot be told as a whole. */
  find(topicId: bigint): Promise<Topic | { missing: TopicPart }>;
};

export function createTopics({ db }: { db: Database }): Topics {
  return {
    async find(topicId) {
      const row = await selectTopic(db, topicId);
      if (!row) return { missing: 'topic' };
      if (row.entity_id === null || row.valid_from === null) return { missing: 'entity' };
      if (row.fees_timestamp === null) return { missing: 'customFee' };
      return toTopic(row, { from: row.valid_from, to: row.valid_to }, row.fees_timestamp);
    },
  };
}

function toTopic(row: TopicRow, valid: Topic['valid'], feesTimestamp: bigint): Topic {
  return {
    topicId: row.id,
    adminKey: row.admin_key,
    autoRenewAccountId: row.auto_renew_account_id,
    autoRenewPeriod: row.auto_renew_period,
    createdTimestamp: row.created_timestamp,
    customFees: { createdTimestamp: feesTimestamp, fixedFees: toFixedFees(row.fixed_fees) },
    deleted: row.deleted,
    feeExemptKeys: toKeys(row.fee_exempt_key_list),
    feeScheduleKey: row.fee_schedule_key,
    memo: row.memo ?? '',
    submitKey: row.submit_key,
    valid,
  };
}

/** Each key of the list by itself, serialized. */
function toKeys(list: Buffer | null): Uint8Array[] {
  if (list === null) return [];
  const { keys } = proto.FeeExemptKeyList.decode(list);
  return (keys ?? []).map((key) => proto.Key.encode(key).finish());
}
