// The API over a database, in both dialects and without a socket; answers have every number as bigint.

import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { createLog } from '../../packages/kit/process/log.ts';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { defaultHttpSettings } from '../../packages/test-support/http/default-settings.ts';
import { findDialect } from '../../src/api/dialect/find-dialect.ts';
import { createCalls } from '../../src/calls/create-calls.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { createServer } from '../../src/server/server.ts';
import type { Dialect } from '../oracle/answers/predict-answers.ts';
import { type Answer, parseExact } from '../oracle/read/parse-exact.ts';

export type Api = {
  /** The body; of other answers than 200 the status code. `path` is that below /api/v1/. */
  ask(dialect: Dialect, path: string): Promise<Answer>;
  close(): Promise<void>;
};

export function openApi({ db, clock }: { db: Database; clock: () => bigint }): Api {
  const open = (dialect: Dialect): FastifyInstance =>
    createServer({
      ledger: createLedger({ db, clock, system: usualRealm }),
      calls: createCalls({ db, system: usualRealm, network: defaultHttpSettings.network }),
      dialect: findDialect(dialect),
      settings: { ...defaultHttpSettings, syntheticResults: false, clock },
      log: createLog({ level: 'silent', format: 'json' }),
      registry: new Registry(),
      network: { name: 'property' },
    });
  const servers = { spec: open('spec'), hiero: open('hiero') };
  return {
    async ask(dialect, path) {
      const { statusCode, payload } = await servers[dialect].inject(`/api/v1/${path}`);
      return statusCode === 200 ? parseExact(payload) : { statusCode };
    },
    async close() {
      for (const server of Object.values(servers)) await server.close();
    },
  };
}
