// Ids that exist now, for pages with example requests; null if there is none yet.
import type { ExamplesRow } from '../../packages/store/read/select-ledger-state.ts';

export type LedgerExamples = ReturnType<typeof toExamples>;

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

/** Times are ns since 1970. `execution`: a contract's result and the id of its transaction. `block`: the latest. */
export function toExamples(row: ExamplesRow) {
  const { tokenId, accountId, contractId, scheduleId, topicId } = row;
  return {
    tokenId,
    accountId,
    contractId,
    scheduleId,
    topicId,
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

/** null if any part is missing: the outer join found nothing. */
function whole<T extends Record<string, bigint | null>>(parts: T): { [Name in keyof T]: bigint } | null {
  return Object.values(parts).includes(null) ? null : (parts as { [Name in keyof T]: bigint });
}
