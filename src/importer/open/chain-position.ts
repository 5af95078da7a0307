// Where the chain of the stream stands after a block: what the next unit, of whichever kind, has to name.
export type ChainPosition = {
  /** Record running hash or file hash; block root after a block of a block stream. */
  hash: Buffer;
  /** Root of the last block, of the one around its record file where it was one; two where it may have either form, the newer first. null when it cannot be told. */
  roots: Buffer[] | null;
  /** null: of whatever comes. */
  nextBlock: bigint | null;
  isBlockStream: boolean;
};
