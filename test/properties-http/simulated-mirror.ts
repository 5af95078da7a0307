// A mirror of a simulated network for tests of answers: signed stream files, imported into a scratch database, answered by
// the real server.

import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { LedgerTables } from '../../packages/simulated-network/ledger/ledger.ts';
import { type Answers, openAnswers } from '../../packages/test-support/http/answers.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import {
  type SimulatedStreamOptions,
  writeSimulatedStream,
} from '../../packages/test-support/streams/simulated-stream.ts';
import type { HttpSettings } from '../../src/api/frame/http-settings.ts';

export type SimulatedMirror = Answers & {
  db: Database;
  connectionString: string;
  /** What the network knows. */
  truth: LedgerTables;
};

export async function openSimulatedMirror(
  options: SimulatedStreamOptions,
  settings: Partial<HttpSettings> = {},
): Promise<SimulatedMirror> {
  const stream = await writeSimulatedStream(options);
  const scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  await stream.importInto(connectionString);
  stream.close();
  const db = openDatabase({ connectionString });
  const answers = openAnswers(db, settings);
  return {
    db,
    connectionString,
    truth: stream.truth,
    get: answers.get,
    visit: answers.visit,
    async close() {
      await answers.close();
      await db.close();
      await scratch.close();
    },
  };
}
