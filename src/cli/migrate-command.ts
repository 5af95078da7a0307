import { grantReader } from '../../packages/schema/migration/grant-reader.ts';
import { schemaVersion } from '../../packages/schema/migration/migrate.ts';
import { openStore } from '../runtime/database/open-store.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Migrates the database to the schema of this program.',
  description: `
An empty database gets the whole schema in one step, an older one the changes since then, forward only. "start" and
"import" do this by themselves. Run this command alone when another role has the necessary rights, with DATABASE_URL
set to its address. --distributed spreads the tables over the machines of a Citus cluster (docs/guides/scale.md).
--reader-role makes a role that may read and nothing else, for "serve"; set its password with ALTER ROLE.

  ledger-mirror migrate --data-dir ./mirror`,
  async run({ settings, log, shutdown, print }) {
    const store = await openStore({
      settings,
      log,
      signal: shutdown.signal,
      distributed: settings.get('distributed'),
    });
    const role = settings.find('reader-role');
    try {
      if (role !== undefined) await grantReader(store.connectionString, role);
    } finally {
      await store.close();
    }
    print(`The database has schema version ${schemaVersion}.`);
    if (role !== undefined) print(`The role ${role} may read it.`);
    return 0;
  },
};
