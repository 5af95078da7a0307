// The database of a run that only reads: one that DATABASE_URL names and another program fills, such as a Hiero mirror
// node's. Nothing is made or changed in it; what it lacks is said once.
import { findSchemaGaps } from '../store/migration/schema-gaps.ts';
import type { Logger } from './log.ts';
import type { Store } from './open-store.ts';
import type { Settings } from './settings/load-settings.ts';
import { UsageError } from './settings/usage-error.ts';

export async function openForeignStore({ settings, log }: { settings: Settings; log: Logger }): Promise<Store> {
  const connectionString = settings.find('database-url');
  if (connectionString === undefined) {
    throw new UsageError('--read-only answers from an existing database. Set DATABASE_URL to its address.');
  }
  const schemaGaps = await findSchemaGaps(connectionString);
  for (const { sentence } of schemaGaps) {
    if (sentence !== null) log.warn(sentence);
  }
  return { connectionString, schemaGaps, close: async () => {} };
}
