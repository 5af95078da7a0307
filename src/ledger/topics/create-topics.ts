// Topics: who may do what with them, and what a message costs.
import { proto } from '../../protocol/hapi/hapi.ts';
import { selectTopic, type TopicRow } from '../../store/read/select-topic.ts';
import type { Database } from '../../store/wire/database.ts';
import type { FixedFee } from '../tokens/custom-fees.ts';
import { toFixedFees } from '../tokens/custom-fees.ts';

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
      if (row.entityId === null || row.validFrom === null) return { missing: 'entity' };
      if (row.feesTimestamp === null) return { missing: 'customFee' };
      return toTopic(row, { from: row.validFrom, to: row.validTo }, row.feesTimestamp);
    },
  };
}

function toTopic(row: TopicRow, valid: Topic['valid'], feesTimestamp: bigint): Topic {
  return {
    topicId: row.id,
    adminKey: row.adminKey,
    autoRenewAccountId: row.autoRenewAccountId,
    autoRenewPeriod: row.autoRenewPeriod,
    createdTimestamp: row.createdTimestamp,
    customFees: { createdTimestamp: feesTimestamp, fixedFees: toFixedFees(row.fixedFees) },
    deleted: row.deleted,
    feeExemptKeys: toKeys(row.feeExemptKeyList),
    feeScheduleKey: row.feeScheduleKey,
    memo: row.memo ?? '',
    submitKey: row.submitKey,
    valid,
  };
}

/** Each key of the list by itself, serialized. */
function toKeys(list: Buffer | null): Uint8Array[] {
  if (list === null) return [];
  const { keys } = proto.FeeExemptKeyList.decode(list);
  return (keys ?? []).map((key) => proto.Key.encode(key).finish());
}
