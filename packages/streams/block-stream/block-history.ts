// The tree over the roots of all blocks before one, which that block names (docs/reference/stream-formats.md).

/** Complete nodes of this level and above are stored: of 256 blocks. Lower ones are made of at most so many roots. */
export const historyLevel = 8;
