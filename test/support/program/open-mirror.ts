// A new database with the real HTTP side over it, for tests that compare mirrors.

import { type Database, openDatabase } from '../../../packages/postgres/wire/database.ts';
import { type Answers, openAnswers } from '../../../packages/test-support/http/answers.ts';
import { createScratchDatabase } from '../../../packages/test-support/postgres/scratch-database.ts';

export type TestMirror = { connectionString: string; db: Database; answers: Answers; close(): Promise<void> };

/** @param fill imports its content */
export async function openMirror(fill: (connectionString: string) => Promise<unknown>): Promise<TestMirror> {
  const database = await createScratchDatabase();
  const { connectionString } = database;
  await fill(connectionString);
  const db = openDatabase({ connectionString, maxConnections: 2 });
  const answers = openAnswers(db);
  return {
    connectionString,
    db,
    answers,
    async close() {
      await answers.close();
      await db.close();
      await database.close();
    },
  };
}
