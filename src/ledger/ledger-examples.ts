// Ids that exist right now, for pages that show how to ask; null where there is none yet.
import type { ExamplesRow } from '../store/read/select-ledger-state.ts';

export type LedgerExamples = {
  tokenId: bigint | null;
  accountId: bigint | null;
  contractId: bigint | null;
  scheduleId: bigint | null;
  topicId: bigint | null;
  nft: { tokenId: bigint; serialNumber: bigint } | null;
  topicMessage: { topicId: bigint; sequenceNumber: bigint; consensusTimestamp: bigint } | null;
  /** A contract's result and the id of its transaction. Times are ns since 1970. */
  execution: { contractId: bigint; consensusTimestamp: bigint; payerId: bigint; validStart: bigint } | null;
  transaction: { payerId: bigint; validStart: bigint } | null;
  hook: { ownerId: bigint; hookId: bigint } | null;
  /** Latest block: number and consensus end, ns. */
  block: { number: bigint; consensusEnd: bigint } | null;
};

export const noExamples: LedgerExamples = {
  tokenId: null,
  accountId: null,
  contractId: null,
  scheduleId: null,
  topicId: null,
  nft: null,
  topicMessage: null,
  execution: null,
  transaction: null,
  hook: null,
  block: null,
};

export function toExamples(row: ExamplesRow): LedgerExamples {
  return {
    tokenId: row.tokenId,
    accountId: row.accountId,
    contractId: row.contractId,
    scheduleId: row.scheduleId,
    topicId: row.topicId,
    nft: whole({ tokenId: row.nftTokenId, serialNumber: row.nftSerial }),
    topicMessage: whole({
      topicId: row.messageTopicId,
      sequenceNumber: row.messageNumber,
      consensusTimestamp: row.messageTime,
    }),
    execution: whole({
      contractId: row.resultContractId,
      consensusTimestamp: row.resultTime,
      payerId: row.resultPayerId,
      validStart: row.resultValidStart,
    }),
    transaction: whole({ payerId: row.payerId, validStart: row.validStart }),
    hook: whole({ ownerId: row.hookOwnerId, hookId: row.hookId }),
    block: whole({ number: row.blockNumber, consensusEnd: row.blockEnd }),
  };
}

/** null where any part is missing: the outer join found nothing. */
function whole<T extends Record<string, bigint | null>>(parts: T): { [Name in keyof T]: bigint } | null {
  return Object.values(parts).includes(null) ? null : (parts as { [Name in keyof T]: bigint });
}
