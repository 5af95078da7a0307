// Search terms, and what they lead to.
import type { AccountName } from '../../../packages/store/read/select-account-ids.ts';
import type { FoundBlock, FoundEntity, FoundTransaction } from '../../../packages/store/read/select-search-target.ts';

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
  /** The one key of an account, in hex as stored. */
  | { kind: 'publicKey'; key: string }
  /** An NFT of a token, or a message of a topic. */
  | { kind: 'numbered'; id: bigint; number: bigint }
  /** Of tokens, in any case. */
  | { kind: 'tokenSymbol'; symbol: string }
  /** Part of a token's name, as plain text without wildcards. */
  | { kind: 'tokenName'; part: string };

/** Maximum number of tokens that one name, or symbol, leads to. */
export const maxNamedTokens = 25;

/** Times are ns. */
export type SearchTarget =
  | ({ kind: 'entity'; id: bigint } & FoundEntity)
  /** A token that was found by its name or symbol. */
  | { kind: 'token'; id: bigint; name: string; symbol: string }
  /** The same of one that a contract keeps. `standard`: such as `ERC-20`. */
  | { kind: 'contractToken'; id: bigint; name: string | null; symbol: string | null; standard: string }
  | { kind: 'nft'; tokenId: bigint; serialNumber: bigint }
  | { kind: 'message'; topicId: bigint; sequenceNumber: bigint; consensusTimestamp: bigint }
  /** Several accounts have it. */
  | { kind: 'accountsOfKey'; key: string }
  | ({ kind: 'block' } & FoundBlock)
  /** `contractResultHash`: null if it ran no contract. */
  | ({ kind: 'transaction' } & FoundTransaction);
