// Databases for tests: each is created from a template in milliseconds. All test files of a run share one PostgreSQL;
// outside of a test run (in a benchmark) the process starts one.
import { randomBytes } from 'node:crypto';
import { runOn, startScratchServer, templateName, withDatabase } from './scratch-server.ts';
import { askForServer, serverAddress } from './share-scratch-server.ts';

export type ScratchDatabase = {
  connectionString: string;
  /** Drops the database, also while connections are open. */
  close(): Promise<void>;
};

export type ScratchDatabaseOptions = {
  /** A database without any table; otherwise it has the schema of the program. */
  empty?: boolean;
};

export async function createScratchDatabase({ empty = false }: ScratchDatabaseOptions = {}): Promise<ScratchDatabase> {
  const server = await shared.server();
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name} template ${empty ? 'template0' : templateName} strategy file_copy`);
  return {
    connectionString: withDatabase(server, name),
    close: () => runOn(server, `drop database if exists ${name} with (force)`),
  };
}

// The server is shared on purpose.
const shared = {
  started: undefined as Promise<string> | undefined,
  server(): Promise<string> {
    const address = serverAddress();
    shared.started ??= address ? askForServer(address) : startScratchServer().then((own) => own.connectionString);
    return shared.started;
  },
};
