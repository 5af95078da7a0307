// Whether replicas answer, and how far they are behind.
import { openDatabase } from '../../../packages/postgres/wire/database.ts';
import { explainConnection } from '../../../packages/postgres/wire/explain-connection.ts';
import { selectNewestBlock } from '../../../packages/store/read/select-newest-block.ts';
import { nameOf, readReplicaUrls } from '../database/open-readers.ts';
import type { Settings } from '../settings/load-settings.ts';
import { FailedCheck } from './failed-check.ts';

/** null without replicas. Throws FailedCheck. */
export async function examineReplicas(settings: Settings): Promise<string | null> {
  const urls = readReplicaUrls(settings);
  const primary = settings.find('database-url');
  if (urls.length === 0) return null;
  if (primary === undefined)
    throw new FailedCheck('they are replicas of no database', 'Set DATABASE_URL to the primary.');
  const newest = await newestBlockOf(primary);
  const found: string[] = [];
  for (const url of urls) {
    const end = await newestBlockOf(url).catch((error: Error) => {
      const said = explainConnection(error, url);
      throw new FailedCheck(
        `${nameOf(url)} does not answer: ${said?.found ?? error.message}`,
        said?.advice.replaceAll('DATABASE_URL', '--replica-urls') ?? 'Check its address, and that it runs.',
      );
    });
    const behindS = Number(newest - end) / 1e9;
    if (behindS > settings.get('replica-max-lag')) {
      throw new FailedCheck(
        `${nameOf(url)} is ${behindS.toFixed(1)} s behind, more than --replica-max-lag`,
        'Queries go elsewhere until it has caught up. Look at pg_stat_replication of the primary.',
      );
    }
    found.push(`${nameOf(url)} is ${Math.max(0, behindS).toFixed(1)} s behind`);
  }
  return found.join(', ');
}

/** Its consensus end, ns; 0 if there is none. */
async function newestBlockOf(connectionString: string): Promise<bigint> {
  const db = openDatabase({ connectionString, maxConnections: 1 });
  try {
    return (await selectNewestBlock(db))?.consensusEnd ?? 0n;
  } finally {
    await db.close();
  }
}
