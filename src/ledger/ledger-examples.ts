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
    tokenId: row.token_id,
    accountId: row.account_id,
    contractId: row.contract_id,
    scheduleId: row.schedule_id,
    topicId: row.topic_id,
    nft: whole({ tokenId: row.nft_token_id, serialNumber: row.nft_serial }),
    topicMessage: whole({
      topicId: row.message_topic_id,
      sequenceNumber: row.message_number,
      consensusTimestamp: row.message_time,
    }),
    execution: whole({
      contractId: row.result_contract_id,
      consensusTimestamp: row.result_time,
      payerId: row.result_payer_id,
      validStart: row.result_valid_start,
    }),
    transaction: whole({ payerId: row.payer_id, validStart: row.valid_start }),
    hook: whole({ ownerId: row.hook_owner_id, hookId: row.hook_id }),
    block: whole({ number: row.block_number, consensusEnd: row.block_end }),
  };
}

/** null where any part is missing: the outer join found nothing. */
function whole<T extends Record<string, bigint | null>>(parts: T): { [Name in keyof T]: bigint } | null {
  return Object.values(parts).includes(null) ? null : (parts as { [Name in keyof T]: bigint });
}
