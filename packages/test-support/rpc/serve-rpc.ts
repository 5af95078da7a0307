// The service over a database with JSON-RPC, on a port of its own.
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import type { HttpSettings } from '../../../src/api/frame/http-settings.ts';
import type { CallLimits } from '../../../src/calls/call-limits.ts';
import { createCalls } from '../../../src/calls/create-calls.ts';
import { createLedgerFeed } from '../../../src/doors/feed/ledger-feed.ts';
import { createKeptResults } from '../../../src/doors/rpc/kept-results.ts';
import { createMachine } from '../../../src/doors/rpc/machine/machine.ts';
import { createFilters } from '../../../src/doors/rpc/reading/filters.ts';
import { addRpcRoute, askAtRoot } from '../../../src/doors/rpc/rpc-route.ts';
import { createSocketDoor, type SocketLimits } from '../../../src/doors/socket/socket-door.ts';
import { createLedger } from '../../../src/ledger/create-ledger.ts';
import type { ServerOptions } from '../../../src/server/server.ts';
import { createTurns } from '../../kit/turns.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { noBlockWatch } from '../../store/notify/block-watch.ts';
import { defaultHttpSettings } from '../http/default-settings.ts';
import { openServer, unlimited } from '../http/open-server.ts';

type Options = Partial<Omit<HttpSettings, 'callLimits'>> & {
  limits?: Partial<SocketLimits>;
  callLimits?: Partial<CallLimits>;
  /** Of the service; default none. */
  cache?: NonNullable<ServerOptions['cache']>;
  /** With it requests are admitted in turn; default: all at once. */
  hasRoom?(): boolean;
};

export async function serveRpc(db: Database, { limits, callLimits, cache, hasRoom, ...given }: Options = {}) {
  const settings = { ...defaultHttpSettings, network: { chainId: 298n }, ...given };
  const registry = new Registry();
  const { clock, system, network } = settings;
  const calls = createCalls({ db, system, network, limits: { ...unlimited, ...callLimits } });
  const app = openServer(db, 'spec', { settings, registry, cache, calls, ...(hasRoom && { hasRoom }) });
  const ledger = createLedger({ db, clock, system });
  const machine = createMachine({ calls, limits: settings.callLimits, maxGas: settings.maxCallGas, traces: true });
  const turns = createTurns({ isBusy: () => false });
  const context = {
    ledger,
    chainId: network.chainId,
    version: '1.2.3',
    filters: createFilters(new Registry()),
    turns,
    machine,
    relay: null,
  };
  const errors: unknown[] = [];
  const log = pino({ level: 'silent' });
  const kept = app.cache && createKeptResults(app.cache);
  const answerer = addRpcRoute(app, {
    context,
    kept,
    admission: app.admission,
    clientOf: app.clientOf,
    outcomes: app.outcomes,
    settings,
    log,
    registry,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const feed = createLedgerFeed({
    ...{ readEnd: ledger.newestEnd, watch: noBlockWatch, onError: (error: unknown) => errors.push(error) },
    ...{ lookEveryMs: 5, askEveryMs: 10 },
  });
  const sockets = createSocketDoor({ context, answerer, clientOf: app.clientOf, feed, log, registry, limits });
  const listener = app.createListener(askAtRoot, sockets.onUpgrade);
  await new Promise<void>((done) => {
    listener.listen(0, '127.0.0.1', done);
  });
  const { port } = listener.address() as AddressInfo;
  return {
    ...{ app, registry, ledger, feed, errors, calls },
    /** Of the service. */
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    /** Of JSON-RPC alone. */
    port,
    rpcUrl: `http://127.0.0.1:${port}`,
    socketUrl: `ws://127.0.0.1:${port}`,
    async close() {
      sockets.close();
      await feed.close();
      await app.close();
      await calls.close();
    },
  };
}
