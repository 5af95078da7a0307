// A mirror of a simulated network for tests of answers: signed stream files, imported into a scratch database, answered
// by the real server.

import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import type { LedgerTables } from '../../packages/simulated-network/ledger/ledger.ts';
import { type Answers, openAnswers } from '../../packages/test-support/http/answers.ts';
import { type LedgerName, ledgers } from '../../packages/test-support/ledgers/ledgers.ts';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import type { SimulatedStreamOptions } from '../../packages/test-support/streams/simulated-stream.ts';
import type { HttpSettings } from '../../src/api/frame/http-settings.ts';

export type SimulatedMirror = Answers & {
  db: Database;
  connectionString: string;
  /** What the network knows. */
  truth: LedgerTables;
};

export async function openSimulatedMirror(
  ledger: LedgerName | SimulatedStreamOptions,
  settings: Partial<HttpSettings> = {},
): Promise<SimulatedMirror> {
  const { stream, openDatabase: openCopy } = await openImported(typeof ledger === 'string' ? ledgers[ledger] : ledger);
  const scratch = await openCopy();
  const { connectionString } = scratch;
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
      stream.close();
    },
  };
}
