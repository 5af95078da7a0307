// JSON-RPC over web sockets: every method, and subscriptions. What a client does not read is bounded, for each and for
// all of
// them: one that takes too much is closed, and can fetch by number of block what it missed.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { Counter, type Registry } from 'prom-client';
import { type WebSocket, WebSocketServer } from 'ws';
import { addGauge } from '../../../packages/kit/add-gauge.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import type { LedgerFeed } from '../feed/ledger-feed.ts';
import type { RpcAnswerer } from '../rpc/answer-rpc.ts';
import type { RpcContext } from '../rpc/reading/context.ts';
import { chooseMostUnread } from './choose-most-unread.ts';
import { type Client, createSocketClient } from './socket-client.ts';
import { createSubscriptions } from './subscriptions.ts';

export type SocketDoorOptions = {
  context: RpcContext;
  answerer: RpcAnswerer;
  clientOf: ClientOf;
  feed: LedgerFeed;
  log: Logger;
  registry: Registry;
  limits?: Partial<SocketLimits>;
};

export type SocketLimits = {
  /** Bytes of events that a client has not read, of an answer to it, and of all that all clients have not read. */
  maxUnread: number;
  maxAnswer: number;
  maxUnreadOfAll: number;
  maxSubscriptions: number;
  /** Subscriptions of all clients, with their addresses and topics. Default: as docs/reference/shares.md says. */
  maxTerms?: number;
  /** How long a client may be silent, and an answer unread. */
  silenceMs: number;
};

const usualLimits: SocketLimits = {
  maxUnread: 2 ** 20,
  maxAnswer: 16 * 2 ** 20,
  maxUnreadOfAll: 64 * 2 ** 20,
  maxSubscriptions: 100,
  silenceMs: 30_000,
};
const maxMessageBytes = 2 ** 20;

/** Of a closed connection (RFC 6455 §7.4.1, and its registry: try again later). */
const goingAway = 1001;
const tryAgainLater = 1013;
const closeCodes: Readonly<Record<string, number>> = { closing: goingAway, share: tryAgainLater };

export type SocketDoor = {
  onUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void;
  close(): void;
};

export function createSocketDoor(options: SocketDoorOptions): SocketDoor {
  const { context, answerer, clientOf, feed, log, registry } = options;
  const bounds = { ...usualLimits, ...options.limits };
  const subscriptions = createSubscriptions({ context, feed, registry, maxTerms: bounds.maxTerms });
  const clients = new Set<Client>();
  const closed = new Counter({
    name: 'rpc_sockets_ended_total',
    help: 'Web sockets that were ended before their clients did, by reason.',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  for (const reason of ['unread', 'silent', 'share', 'closing']) closed.inc({ reason }, 0);
  addGauge(registry, { name: 'rpc_sockets_open', help: 'Open web sockets.', read: () => clients.size });
  addGauge(registry, {
    name: 'rpc_sockets_unread_bytes',
    help: 'Bytes that were sent to web sockets and that their clients have not read.',
    read: () => [...clients].reduce((sum, client) => sum + client.unread(), 0),
  });
  addGauge(registry, {
    name: 'rpc_subscriptions',
    help: 'Subscriptions of web sockets.',
    read: () => subscriptions.count(),
  });
  const server = new WebSocketServer({
    ...{ noServer: true, maxPayload: maxMessageBytes, perMessageDeflate: false, clientTracking: false },
  });
  let isSumDue = false;
  const timer = setInterval(look, bounds.silenceMs).unref();

  return {
    onUpgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const client = clientOf(request);
      server.handleUpgrade(request, socket, head, (opened) => welcome(opened, client));
    },
    close() {
      clearInterval(timer);
      for (const client of clients) end(client, 'closing');
    },
  };

  function welcome(socket: WebSocket, name: string): void {
    const client = createSocketClient(socket, {
      ...{ name, context, answerer, subscriptions, maxSubscriptions: bounds.maxSubscriptions },
      maxAnswer: bounds.maxAnswer,
      onSent: () => bound(client),
      // It comes back, and asks for its subscriptions again.
      onWithdrawn: () => end(client, 'share'),
      onFailure: (error) => log.error({ err: error }, 'A subscription failed'),
    });
    clients.add(client);
    socket.on('close', () => {
      clients.delete(client);
      client.forget();
    });
    // It is closed by the library right after.
    socket.on('error', () => {});
  }

  /** After each text that was sent. */
  function bound(client: Client): void {
    if (client.unreadEvents() > bounds.maxUnread) end(client, 'unread');
    else if (client.unread() > 0 && !isSumDue) {
      isSumDue = true;
      setImmediate(boundSum);
    }
  }

  function boundSum(): void {
    isSumDue = false;
    for (const client of chooseMostUnread(clients, bounds.maxUnreadOfAll)) end(client, 'unread');
  }

  function look(): void {
    for (const client of clients) {
      if (!client.isAlive()) end(client, client.owesReading() ? 'unread' : 'silent');
    }
  }

  function end(client: Client, reason: string): void {
    if (!clients.delete(client)) return;
    closed.inc({ reason });
    client.forget();
    client.end(closeCodes[reason] ?? null);
  }
}
