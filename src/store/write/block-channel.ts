// What writers tell readers through PostgreSQL when a block becomes visible.

/** Channel of NOTIFY; the payload is the block's number. */
export const blockChannel = 'ledger_mirror_block';
