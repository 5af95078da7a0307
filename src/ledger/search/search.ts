// Search terms, and what they lead to.
import type { AccountName } from '../../store/read/select-account-ids.ts';

export type SearchTerm =
  | { kind: 'id'; id: bigint }
  | AccountName
  /** Of a transaction (32 or 48 bytes) or a block (48 bytes). */
  | { kind: 'hash'; hash: Buffer }
  /** `validStart` in ns. */
  | { kind: 'transactionId'; payerAccountId: bigint; validStart: bigint }
  /** Consensus timestamp, ns. */
  | { kind: 'timestamp'; timestamp: bigint }
  | { kind: 'blockNumber'; number: bigint }
  /** Part of a token's name, as plain text without wildcards. */
  | { kind: 'tokenName'; part: string };

/** Maximum number of tokens that one name leads to. */
export const maxNamedTokens = 25;

export type SearchTarget =
  /** `type` as the database names it: ACCOUNT, CONTRACT, TOKEN, SCHEDULE, TOPIC, FILE. */
  | { kind: 'entity'; type: string; id: bigint }
  /** A token that was found by its name. */
  | { kind: 'token'; id: bigint; name: string; symbol: string }
  | { kind: 'block'; number: bigint }
  /** `hash`: of the transaction. */
  | { kind: 'contractResult'; hash: Buffer }
  | { kind: 'transaction'; payerAccountId: bigint; validStart: bigint };
