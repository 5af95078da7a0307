// Warns that a `serve` answers from a database without a block.

import type { Logger } from '../../../packages/kit/process/log.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';

export async function tellEmptyLedger(db: Database, log: Logger): Promise<void> {
  // Whether the database answers is reported elsewhere.
  const newest = await selectNewestBlock(db).catch(() => undefined);
  if (newest !== null) return;
  log.warn(
    'The database holds no block yet: lists are empty, and everything else is not found, until an import on the same database stores some.',
  );
}
