// What writers send to readers through PostgreSQL when something becomes visible.
import type pg from 'pg';

/** Channel of NOTIFY. */
export const blockChannel = 'ledger_mirror_block';

/** `consensusEnd` (ns): of the newest block; null = something other than a further block has changed. */
export async function notifyReaders(client: pg.Client, consensusEnd: bigint | null): Promise<void> {
  const values = [blockChannel, consensusEnd === null ? '' : String(consensusEnd)];
  await client.query({ name: 'notify-block', text: 'select pg_notify($1, $2)', values });
}

/** null = something other than a further block has changed, or the notice is of another version. */
export function readBlockNotice(payload: string): bigint | null {
  return /^\d{1,19}$/.test(payload) ? BigInt(payload) : null;
}
