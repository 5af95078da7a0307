// What answers cost by their statements alone: those that a server asks for some requests are recorded, and asked again
// without HTTP and without the text of the answer.
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { findDialect } from '../../src/http/dialect/find-dialect.ts';
import { defaultHttpSettings as settings } from '../../src/http/http-settings.ts';
import { createServer } from '../../src/http/server.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { type Database, type NamedQuery, openDatabase } from '../../src/store/wire/database.ts';

export type StatementsAlone = {
  /** Answers a second. */
  measure(load: { paths: readonly string[]; connections: number; seconds: number }): Promise<number>;
  close(): Promise<void>;
};

/** As many answers are recorded. */
const sampleSize = 100;

export function openStatementsAlone(connectionString: string): StatementsAlone {
  const db = openDatabase({ connectionString });
  let asked: NamedQuery[] = [];
  const record = (recorded: Database): Database => ({
    ...recorded,
    query: (query) => {
      asked.push(query);
      return recorded.query(query);
    },
    snapshot: (work) => recorded.snapshot((own) => work(record(own))),
  });
  const app = createServer({
    ledger: createLedger({ db: record(db), ...settings }),
    dialect: findDialect('spec'),
    settings,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    networkName: 'bench',
  });

  async function recordAnswers(paths: readonly string[]): Promise<NamedQuery[][]> {
    const answers: NamedQuery[][] = [];
    for (const path of paths.slice(0, sampleSize)) {
      asked = [];
      await app.inject(path);
      answers.push(asked);
    }
    return answers;
  }

  return {
    async measure({ paths, connections, seconds }) {
      const answers = await recordAnswers(paths);
      let count = 0;
      const started = performance.now();
      const run = async (): Promise<void> => {
        while (performance.now() - started < seconds * 1000) {
          for (const query of answers[count++ % answers.length]!) await db.query(query);
        }
      };
      await Promise.all(Array.from({ length: connections }, run));
      return (count * 1000) / (performance.now() - started);
    },
    async close() {
      await app.close();
      await db.close();
    },
  };
}
