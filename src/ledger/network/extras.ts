// The extras of the schedule of simple fees (HIP-1261) that can be counted in a transaction, by their numbers in the
// file
// 113. Published prices show which is which: the first NFT that is minted costs $ 0.02 with 19, each further one as
// much with 13; each token association $ 0.05 with 17.
export const extras = {
  SIGNATURES: 0,
  KEYS: 1,
  ACCOUNTS: 3,
  FUNGIBLE_TOKENS: 4,
  GAS: 5,
  ALLOWANCES: 6,
  HOOK_UPDATES: 8,
  TOKEN_TRANSFER_BASE: 9,
  TOKEN_TRANSFER_BASE_CUSTOM_FEES: 10,
  HOOK_EXECUTION: 11,
  TOKEN_CREATE_WITH_CUSTOM_FEE: 12,
  TOKEN_MINT_NFT: 13,
  CONSENSUS_CREATE_TOPIC_WITH_CUSTOM_FEE: 14,
  SCHEDULE_CREATE_CONTRACT_CALL_BASE: 16,
  TOKEN_ASSOCIATE: 17,
  TOKEN_MINT_NFT_BASE: 19,
  STATE_BYTES: 22,
  PROCESSING_BYTES: 23,
} as const;

export type Extra = (typeof extras)[keyof typeof extras];

export const extraNames: ReadonlyMap<number, string> = new Map(
  Object.entries(extras).map(([name, number]) => [number, name]),
);
