// What people look for, and where it is to be found.
import type { AccountName } from '../../store/read/select-account-ids.ts';

export type SearchTerm =
  | { kind: 'id'; id: bigint }
  | AccountName
  /** Of a transaction (32 or 48 bytes) or a block (48 bytes). */
  | { kind: 'hash'; hash: Buffer }
  /** `validStart` in ns. */
  | { kind: 'transactionId'; payerAccountId: bigint; validStart: bigint }
  /** Consensus timestamp, ns. */
  | { kind: 'timestamp'; timestamp: bigint };

export type SearchTarget =
  /** `type` as the database names it: ACCOUNT, CONTRACT, TOKEN, SCHEDULE, TOPIC, FILE. */
  | { kind: 'entity'; type: string; id: bigint }
  | { kind: 'block'; number: bigint }
  /** `hash`: of the transaction. */
  | { kind: 'contractResult'; hash: Buffer }
  | { kind: 'transaction'; payerAccountId: bigint; validStart: bigint };
