// The block that a transaction sees itself in.
export type BlockFacts = {
  number: bigint;
  /** Seconds. */
  timestamp: bigint;
  prevRandao: bigint;
  chainId: bigint;
};
