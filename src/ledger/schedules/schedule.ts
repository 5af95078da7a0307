// A scheduled transaction with the signatures it has collected.

export type ScheduleSignature = {
  consensusTimestamp: bigint;
  publicKeyPrefix: Buffer;
  signature: Buffer;
  /** Field number of the SignaturePair oneof; null = unknown. */
  type: number | null;
};

export type Schedule = {
  consensusTimestamp: bigint;
  creatorAccountId: bigint;
  /** What the schedule's entity says; null when there is no entity row. */
  entity: { adminKey: Buffer | null; deleted: boolean | null; memo: string } | null;
  executedTimestamp: bigint | null;
  expirationTime: bigint | null;
  payerAccountId: bigint;
  scheduleId: bigint;
  /** Ascending by consensus timestamp, then by prefix. */
  signatures: ScheduleSignature[];
  transactionBody: Buffer;
  waitForExpiry: boolean;
};

export type IdCondition = { operator: 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte'; id: bigint };

export type SchedulesQuery = {
  accountIds: IdCondition[];
  scheduleIds: IdCondition[];
  order: 'asc' | 'desc';
  limit: number;
};
