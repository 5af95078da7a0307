// A scheduled transaction with the signatures it has collected.
import type { Range } from '../../kit/range.ts';

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
  /** Ascending by consensus timestamp, then as in the signature map of the transaction. */
  signatures: ScheduleSignature[];
  transactionBody: Buffer;
  waitForExpiry: boolean;
};

/** Every condition must hold; several exact ids find nothing. */
export type SchedulesQuery = {
  /** Of the creator. */
  accountId: Range;
  scheduleId: Range;
  order: 'asc' | 'desc';
  limit: number;
};
