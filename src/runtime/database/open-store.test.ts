// Work on the database of a mirror that runs, which another command started.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startEmbeddedPostgres } from '../../../packages/postgres/embedded/embedded-postgres.ts';
import { withClient } from '../../../packages/postgres/wire/connect-client.ts';
import { migrate, schemaVersion } from '../../../packages/schema/migration/migrate.ts';
import { loadSettings } from '../settings/load-settings.ts';
import { explainEnd, openStoreBeside } from './open-store.ts';

// A PostgreSQL is started.
vi.setConfig({ testTimeout: 120_000 });

let dataFolder: string;
beforeAll(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'open-store-'));
  // As root PostgreSQL runs as another user, who must come through.
  chmodSync(dataFolder, 0o711);
});
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));

test('it is neither started nor stopped, and must have the same schema; its end is told', async () => {
  const settings = loadSettings('export', ['--data-dir', dataFolder, '--to', './x'], {});
  const open = () =>
    openStoreBeside({ settings, log: pino({ level: 'silent' }), signal: new AbortController().signal });
  const mirror = await startEmbeddedPostgres({ dataFolder, durable: false });
  const pid = mirror.pid();
  await expect(open()).rejects.toThrow(/has no tables yet\. Wait until it has started\./);
  await migrate(mirror);
  const store = await open();
  expect(store).toMatchObject({ connectionString: mirror.connectionString, isBeside: true });
  await store.close();
  expect(mirror.pid()).toBe(pid);
  const failure = new Error('Connection terminated');
  expect(await explainEnd(failure, store, settings)).toBe(failure);
  await withClient(mirror.connectionString, 'test', (client) =>
    client.query(`insert into ledger_mirror_schema (version, name) values (${schemaVersion + 1}, 'later')`),
  );
  await expect(open()).rejects.toThrow(
    `has schema version ${schemaVersion + 1}, this program has ${schemaVersion}. Use the version of the program that runs`,
  );
  await mirror.stop();
  expect(await explainEnd(failure, store, settings)).toMatchObject({
    message: expect.stringMatching(/^The mirror that runs this database was stopped\. The same command goes on/),
    cause: failure,
  });
});
