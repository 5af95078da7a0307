// Databases for tests: each is created from a template in milliseconds. All test files of a run share one PostgreSQL;
// outside of a test run (in a benchmark) the process starts one.
import { randomBytes } from 'node:crypto';
import { runOn, startScratchServer, templateName, withDatabase } from './scratch-server.ts';
import { askForServer, runFolder } from './share-scratch-server.ts';

export type ScratchDatabase = {
  connectionString: string;
  /** Drops the database, also while connections are open. */
  close(): Promise<void>;
};

export type ScratchDatabaseOptions = {
  /** A database without any table; otherwise it has the schema of the program. */
  empty?: boolean;
  /** Of another database, which nobody is connected to: a copy of it. */
  template?: string;
};

/** A database of this name with the schema of the program, for the whole run. */
export async function createTemplate(name: string): Promise<string> {
  const server = await shared.server();
  await runOn(server, `create database ${name} template ${templateName} strategy file_copy`);
  return withDatabase(server, name);
}

export async function createScratchDatabase(options: ScratchDatabaseOptions = {}): Promise<ScratchDatabase> {
  const { empty = false, template = empty ? 'template0' : templateName } = options;
  const server = await shared.server();
  const name = `scratch_${randomBytes(6).toString('hex')}`;
  await runOn(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    connectionString: withDatabase(server, name),
    close: () => runOn(server, `drop database if exists ${name} with (force)`),
  };
}

// The server is shared on purpose.
const shared = {
  started: undefined as Promise<string> | undefined,
  server(): Promise<string> {
    shared.started ??= runFolder() ? askForServer() : startScratchServer().then((own) => own.connectionString);
    return shared.started;
  },
};
