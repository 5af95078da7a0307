import { openStore } from '../runtime/open-store.ts';
import { schemaVersion } from '../store/schema/migrate.ts';
import type { Command } from './command.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Migrates the database to the schema of this program.',
  description: `
An empty database gets the whole schema in one step, an older one the changes since then, forward only. "start" and
"import" do this by themselves. Run this command alone when another role has the necessary rights, with DATABASE_URL
set to its address.

  ledger-mirror migrate --data-dir ./mirror`,
  async run({ settings, log, shutdown, print }) {
    const store = await openStore({ settings, log, signal: shutdown.signal });
    await store.close();
    print(`The database has schema version ${schemaVersion}.`);
    return 0;
  },
};
