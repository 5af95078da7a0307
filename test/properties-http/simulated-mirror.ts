// A mirror of a simulated network for tests of answers: signed stream files, imported into a scratch database, answered by
// the real server.
import type { HttpSettings } from '../../src/http/frame/http-settings.ts';
import type { LedgerTables } from '../../src/network/ledger.ts';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { type Answers, openAnswers } from '../support/answers.ts';
import { createScratchDatabase } from '../support/scratch-database.ts';
import { type SimulatedStreamOptions, writeSimulatedStream } from '../support/simulated-stream.ts';

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
