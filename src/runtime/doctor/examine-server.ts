// Whether a server and a database are such that a mirror can live there, before anything in it is looked at.

import { assertMigratable } from '../../../packages/schema/migration/migrate.ts';
import { findSchemaGaps } from '../../../packages/schema/migration/schema-gaps.ts';
import type { Server } from '../../../packages/store/read/select-server.ts';
import { FailedCheck } from './failed-check.ts';

export type Use = {
  /** `serve --read-only`: another program fills the database. */
  readOnly: boolean;
};

/** Throws FailedCheck. */
export function judgeServer(server: Server, { readOnly }: Use): void {
  const { version, number, encoding, role, database, hasBlocks, reads, creates, unreadable } = server;
  if (number < 150_000) throw new FailedCheck(`PostgreSQL ${version} is too old`, 'Use PostgreSQL 15 or later.');
  if (encoding !== 'UTF8' && !readOnly) {
    throw new FailedCheck(
      `the database ${database} has the encoding ${encoding}, which cannot hold every text of a ledger`,
      `Make another with: create database … encoding 'UTF8' template template0, and name it in DATABASE_URL.`,
    );
  }
  if (hasBlocks && (!reads || unreadable !== null)) {
    throw new FailedCheck(
      `the role ${role} may not read ${reads ? unreadable : 'the tables'} of the database ${database}`,
      `As the owner of the tables run "ledger-mirror migrate --reader-role ${role}", which lets it read and is enough for "serve"; an import needs the owner itself.`,
    );
  }
  if (!hasBlocks && readOnly) {
    throw new FailedCheck(
      `the database ${database} has no tables of a ledger that the role ${role} can see`,
      'Name the database of a mirror in DATABASE_URL, put its schema into the search_path of the role, or leave --read-only out: then an empty database gets the tables.',
    );
  }
  if (!creates && !readOnly && !reads) {
    throw new FailedCheck(
      `the database ${database} has no tables yet, and the role ${role} may not create them`,
      'Run "ledger-mirror migrate" once with the owner of the database, or name the owner in DATABASE_URL.',
    );
  }
}

/** Whether the tables are those of this program, or can be made. Throws an Error in words for the operator. */
export async function examineTables(
  connectionString: string,
  { reads, creates, writes }: Server,
  { readOnly }: Use,
): Promise<void> {
  if (readOnly) await findSchemaGaps(connectionString);
  // A server that only answers reads newer tables, too.
  else await assertMigratable(connectionString, { mayBeNewer: reads && !creates && !writes });
}
