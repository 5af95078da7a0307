import { formatBytes } from '../../packages/kit/format-bytes.ts';
import { grantReader } from '../../packages/schema/migration/grant-reader.ts';
import { schemaVersion } from '../../packages/schema/migration/migrate.ts';
import { compactRows, makeCompact, newestCompactable } from '../../packages/store/compact/compact-rows.ts';
import { openStore, openStoreBeside } from '../runtime/database/open-store.ts';
import type { Command, CommandContext } from './command.ts';
import { openProgressLine } from './progress-line.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Migrates the database to the schema of this program.',
  description: `
An empty database gets the whole schema in one step, an older one the changes since then, forward only. "start" and
"import" do this by themselves. Run this command alone when another role has the necessary rights, with DATABASE_URL
set to its address. --distributed spreads the tables over the machines of a Citus cluster (docs/guides/scale.md).
--reader-role makes a role that may read and nothing else, for "serve"; set its password with ALTER ROLE. --compact
stores what transactions moved once in place of three times, of all blocks but those of the last day
(docs/guides/operate.md): the first time without an import, later beside it. It can be killed at any time; the same
command goes on.

  ledger-mirror migrate --data-dir ./mirror`,
  async run(context) {
    const { settings, log, shutdown, print } = context;
    const open = settings.get('compact') ? openStoreBeside : openStore;
    const distributed = settings.get('distributed');
    const store = await open({ settings, log, signal: shutdown.signal, distributed });
    const role = settings.find('reader-role');
    try {
      if (role !== undefined) await grantReader(store.connectionString, role);
      print(`The database has schema version ${schemaVersion}.`);
      if (role !== undefined) print(`The role ${role} may read it.`);
      if (settings.get('compact')) print(await compact(context, store.connectionString));
    } finally {
      await store.close();
    }
    return shutdown.signal.aborted ? 1 : 0;
  },
};

/** Resolves with a sentence about the end. */
async function compact(context: CommandContext, connectionString: string): Promise<string> {
  const { shutdown } = context;
  await makeCompact(connectionString);
  const before = await newestCompactable(connectionString);
  const line = openProgressLine(context);
  const { transactions, kept, freeBytes } = await compactRows({
    ...{ connectionString, before, signal: shutdown.signal },
    onProgress: (progress) =>
      line.update(`${progress.transactions} transactions compacted, ${Math.floor(100 * progress.done)} %`),
  });
  line.end();
  const left = kept > 0 ? `; of ${kept} of them the rows stay, which say more than is packed` : '';
  if (shutdown.signal.aborted) return `Stopped after ${transactions} transactions${left}. The same command goes on.`;
  const free = freeBytes > 0 ? ` ${formatBytes(freeBytes)} in files of the tables are free for new rows.` : '';
  return transactions === 0
    ? 'The database has the compact form; no more blocks are older than a day.'
    : `Compacted ${transactions} transactions${left}.${free}`;
}
