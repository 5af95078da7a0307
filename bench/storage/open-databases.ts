// Databases with the schema, of the built-in PostgreSQL or of the oldest supported one.
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { startDebianPostgres } from '../../packages/test-support/postgres/debian-postgres.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';

export type Databases = {
  /** An empty one. */
  open(): Promise<{ connectionString: string; close(): Promise<void> }>;
  close(): Promise<void>;
};

export const postgresVersions = ['18', '15'] as const;

export async function openDatabases(version: (typeof postgresVersions)[number]): Promise<Databases> {
  if (version === '18') return { open: createScratchDatabase, close: async () => {} };
  const server = await startDebianPostgres();
  let count = 0;
  return {
    async open() {
      const name = `storage_${count++}`;
      await server.run(`create database ${name}`);
      const connectionString = server.connectionString('admin', name);
      await migrate({ connectionString });
      return { connectionString, close: () => server.run(`drop database ${name}`) };
    },
    close: server.close,
  };
}
