// The prices of the network, and the supply of hbar.
/** Range of write times, ns; inclusive, null = open. */
export type WrittenWithin = { from: bigint | null; to: bigint | null };

export type Rate = {
  centEquivalent: number;
  hbarEquivalent: number;
  /** Seconds since 1970. */
  expirationTime: bigint;
};

export type ExchangeRate = { currentRate: Rate; nextRate: Rate; timestamp: bigint };

/** Tinybars. */
export type GasFee = { transactionType: string; gas: bigint };
export type GasFees = { fees: GasFee[]; timestamp: bigint };

/** By name of the transaction type, ascending. */
export type GasFeesQuestion = (within: WrittenWithin) => Promise<GasFees | MissingFile>;

/** The file of this id has no usable content. */
export type MissingFile = { missingFileId: bigint };

export type Supply = { releasedTinybar: bigint; totalTinybar: bigint; timestamp: bigint };
