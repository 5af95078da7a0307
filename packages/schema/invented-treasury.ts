/**
 * Memo of a treasury that did not come from the stream: snapshots need its row, and readers hide it by this. The mirror
 * node's.
 */
export const inventedTreasuryMemo = 'Mirror node created synthetic treasury account';
