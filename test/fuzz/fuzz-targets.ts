// The servers of the fuzz, over real databases: each database in both dialects, and once more with every option
// switched on.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { unlimited } from '../../packages/test-support/http/open-server.ts';
import { type AnswerValidator, createAnswerValidator } from '../../packages/test-support/http/validate-answer.ts';
import { type DialectName, findDialect } from '../../src/api/dialect/find-dialect.ts';
import type { HttpSettings } from '../../src/api/frame/http-settings.ts';
import { createCalls } from '../../src/calls/create-calls.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { createServer } from '../../src/server/server.ts';
import { type FuzzDatabases, openFuzzDatabases } from './fuzz-databases.ts';
import type { LedgerWords } from './ledger-words.ts';

export type FuzzTarget = {
  name: string;
  app: ReturnType<typeof createServer>;
  /** Its port, for requests over a socket. */
  port: number;
  words: LedgerWords;
  validator: AnswerValidator;
  /** Maximum of values of a parameter. */
  maxRepeated: number;
};

export type FuzzTargets = { targets: FuzzTarget[]; databases: FuzzDatabases['list']; close(): Promise<void> };

export async function openFuzzTargets(options: {
  dialects: readonly DialectName[];
  seed: string;
  /** Of the simulated network. */
  blocks: number;
}): Promise<FuzzTargets> {
  const { dialects, seed, blocks } = options;
  const databases = await openFuzzDatabases({ seed, blocks });
  const targets: FuzzTarget[] = [];
  for (const { name, db, words } of databases.list) {
    for (const dialect of dialects) {
      for (const [variant, settings] of Object.entries(variants)) {
        targets.push(await openTarget({ name: `${name}, ${dialect}, ${variant}`, db, words, dialect, settings }));
      }
    }
  }
  return {
    targets,
    databases: databases.list,
    async close() {
      for (const { app } of targets) await app.close();
      await databases.close();
    },
  };
}

const users = [{ username: 'ann', password: 'secret', limit: 2 }];

const variants: Record<string, HttpSettings> = {
  'as set out': { ...defaultHttpSettings, users },
  'everything on': {
    ...defaultHttpSettings,
    users,
    delegationAddress: true,
    bindTimestampRange: true,
    maxTransactionsTimestampRange: 20_000_000_000n,
    limitDefault: 2,
    limitMax: 5,
    tokenBalanceLimit: 1,
    listedTokenBalanceLimit: 1,
    maxRepeatedParameters: 4,
  },
};

async function openTarget(options: {
  name: string;
  db: Database;
  words: LedgerWords;
  dialect: DialectName;
  settings: HttpSettings;
}): Promise<FuzzTarget> {
  const { name, db, words, settings } = options;
  const dialect = findDialect(options.dialect);
  const app = createServer({
    ledger: createLedger({ db, ...settings }),
    calls: createCalls({ db, ...settings, limits: unlimited }),
    dialect,
    settings,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    network: { name: 'fuzz' },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  return {
    name,
    app,
    port,
    words,
    validator: createAnswerValidator({ dialect, settings }),
    maxRepeated: settings.maxRepeatedParameters,
  };
}
