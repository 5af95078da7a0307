// The newest block as a watcher sees it: how far the ledger is stored, and what software wrote it.
import type { Database } from '../wire/database.ts';

export type NewestBlock = {
  number: bigint;
  /** ns */
  consensusEnd: bigint;
  /** null where its file told none (before v5). */
  hapiVersion: string | null;
};

/** null = nothing is stored yet. */
export async function selectNewestBlock(db: Database): Promise<NewestBlock | null> {
  const rows = await db.query<NewestBlock>({
    name: 'select-newest-block',
    text: `select index as number, consensus_end as "consensusEnd",
  hapi_version_major || '.' || hapi_version_minor || '.' || hapi_version_patch as "hapiVersion"
from record_file order by consensus_end desc limit 1`,
  });
  return rows[0] ?? null;
}
