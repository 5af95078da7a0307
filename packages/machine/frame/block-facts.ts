// The block that a transaction sees itself in.
export type BlockFacts = {
  number: bigint;
  /** Seconds. */
  timestamp: bigint;
  prevRandao: bigint;
  chainId: bigint;
  /** Instead of what the rules say. */
  coinbase?: bigint;
  baseFee?: bigint;
  blobBaseFee?: bigint;
  /** Instead of the limit of the transaction. */
  gasLimit?: bigint;
};
