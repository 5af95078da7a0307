// What writers tell readers through PostgreSQL when something becomes visible.

/** Channel of NOTIFY. */
export const blockChannel = 'ledger_mirror_block';

/** `consensusEnd` (ns): of the newest block; null = something else than a further block has changed. */
export function formatBlockNotice(consensusEnd: bigint | null): string {
  return consensusEnd === null ? '' : String(consensusEnd);
}

/** null = something else than a further block has changed, or another version tells. */
export function readBlockNotice(payload: string): bigint | null {
  return /^\d{1,19}$/.test(payload) ? BigInt(payload) : null;
}
