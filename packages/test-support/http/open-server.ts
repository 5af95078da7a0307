// The real HTTP side over a database, with default options and without a log.

import { pino } from 'pino';
import { Registry } from 'prom-client';
import { type DialectName, findDialect } from '../../../src/api/dialect/find-dialect.ts';
import type { HttpSettings } from '../../../src/api/frame/http-settings.ts';
import { createCalls } from '../../../src/calls/create-calls.ts';
import { createLedger, type LedgerOptions } from '../../../src/ledger/create-ledger.ts';
import { createServer, type ServerOptions } from '../../../src/server/server.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { defaultHttpSettings } from './default-settings.ts';

type TestServerOptions = Partial<Omit<ServerOptions, 'settings'>> &
  Pick<LedgerOptions, 'readAgain'> & { settings?: Partial<HttpSettings> };

/** Tests ask faster than clients may. */
export const unlimited = { requestsPerSecond: 1e9, gasPerSecond: 1e15, tracesPerSecond: 1e9, prestatesPerSecond: 1e9 };

/** Ready for `inject` or `listen`. */
export function openServer(
  db: Database,
  dialect: DialectName,
  { settings, readAgain, ...options }: TestServerOptions = {},
): ReturnType<typeof createServer> {
  const httpSettings = { ...defaultHttpSettings, ...settings };
  const { clock, system } = httpSettings;
  const calls = createCalls({ db, system, network: httpSettings.network, limits: unlimited });
  const app = createServer({
    ledger: createLedger({ db, clock, system, readAgain }),
    dialect: findDialect(dialect),
    settings: httpSettings,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
    network: { name: 'demo' },
    calls,
    ...options,
  });
  app.addHook('onClose', calls.close);
  return app;
}
