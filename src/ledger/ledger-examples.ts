// Ids that exist right now, for pages that show how to ask; null where there is none yet.

export type LedgerExamples = {
  tokenId: bigint | null;
  accountId: bigint | null;
  contractId: bigint | null;
  scheduleId: bigint | null;
  topicId: bigint | null;
  /** Latest block: number and consensus end, ns. */
  block: { number: bigint; consensusEnd: bigint } | null;
};
