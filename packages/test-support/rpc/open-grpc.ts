// The gRPC door over a database with given rows, and a client that asks it.
import type { AddressInfo } from 'node:net';
import { type Client, credentials, makeClientConstructor } from '@grpc/grpc-js';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createLedgerFeed } from '../../../src/doors/feed/ledger-feed.ts';
import { createTopicHub } from '../../../src/doors/feed/topic-hub.ts';
import { loadDefinitions, toService } from '../../../src/doors/grpc/definitions.ts';
import { createGrpcDoor, type GrpcDoorOptions } from '../../../src/doors/grpc/grpc-door.ts';
import { createLedger } from '../../../src/ledger/create-ledger.ts';
import { createClientOutcomes } from '../../kit/shares/client-outcomes.ts';
import { usualRealm } from '../../protocol/hapi/system-entity.ts';
import { noBlockWatch } from '../../store/notify/block-watch.ts';
import { createClientOf } from '../../web-server/client-of.ts';
import type { SetupRow } from '../rows/setup-row.ts';
import { storeRows } from '../rows/store-rows.ts';

type Json = ReturnType<typeof JSON.parse>;

type Options = Partial<Pick<GrpcDoorOptions, 'tls' | 'limits'>> & { allowsUnknownTopics?: boolean };

export async function openGrpc(rows: readonly SetupRow[], first: Options = {}) {
  const stored = await storeRows(rows);
  const clock = () => BigInt(Date.now()) * 1_000_000n;
  const ledger = createLedger({ db: stored.db, clock, system: usualRealm });
  const feed = createLedgerFeed({
    ...{ readEnd: ledger.newestEnd, watch: noBlockWatch, onError: () => {} },
    ...{ lookEveryMs: 2, askEveryMs: 5 },
  });
  const hub = createTopicHub(ledger, feed);

  /** Another door over the same database. */
  async function openDoor({ tls = null, limits, allowsUnknownTopics = false }: Options = {}) {
    const registry = new Registry();
    const outcomes = createClientOutcomes();
    const door = createGrpcDoor({
      context: { ledger, hub, system: usualRealm, clock, allowsUnknownTopics },
      ...{ hasRoom: null, log: pino({ level: 'silent' }), registry, maxConnections: 100, tls, limits },
      ...{ clientOf: createClientOf(), outcomes },
    });
    await new Promise<void>((done) => door.server.listen(0, '127.0.0.1', done));
    const { port } = door.server.address() as AddressInfo;
    return { ...door, registry, outcomes, port, address: `127.0.0.1:${port}` };
  }

  const door = await openDoor(first);
  const clients: Client[] = [];

  /** Of the first door, unless an address is given. */
  function clientOf(name: string, address = door.address): Json {
    const client = new (makeClientConstructor(toService(loadDefinitions().service(name)), name))(
      address,
      credentials.createInsecure(),
      { 'grpc.use_local_subchannel_pool': 1 },
    );
    clients.push(client as unknown as Client);
    return client;
  }

  return {
    ...{ stored, feed, hub, ledger, door, openDoor, clientOf },
    subscribe(query: object, address?: string) {
      const call = clientOf('com.hedera.mirror.api.proto.ConsensusService', address).subscribeTopic(query);
      const messages: Json[] = [];
      call.on('data', (message: Json) => messages.push(message));
      /** null = with OK. */
      const ended = new Promise<{ code: number; details: string } | null>((done) => {
        call.on('error', ({ code, details }: Json) => done({ code, details }));
        call.on('end', () => done(null));
      });
      return { call, messages, ended, numbers: () => messages.map(({ sequenceNumber }) => Number(sequenceNumber)) };
    },
    async nodes(query: object): Promise<Json[]> {
      const found: Json[] = [];
      for await (const node of clientOf('com.hedera.mirror.api.proto.NetworkService').getNodes(query)) found.push(node);
      return found;
    },
    closeClients() {
      for (const client of clients.splice(0)) client.close();
    },
    async close() {
      for (const client of clients.splice(0)) client.close();
      await feed.close();
      await door.close();
      await stored.close();
    },
  };
}
