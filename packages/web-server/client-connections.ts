// The open connections of one listener, and the end of those that block it. Node limits how long a head and a body may take
// to arrive; this limits the rest: connections without a request, answers that are not read, and the number of connections,
// where a client with few of them takes the place of one of the client with most. A connection is never ended between the
// head of a request and its answer, unless its client keeps sending requests without reading answers, or has more than half of
// all connections. Its requests are passed on one after the other, each when the answer before it has been read: a client
// that sends many and reads nothing costs one answer.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { pause } from '../kit/pause.ts';
import type { PlaceCounts } from '../kit/shares/door-places.ts';
import { createOwnerOf, type OwnerOf } from './client-of.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { createConnectionPlaces, type PlacedConnection } from './connection-places.ts';

/** Why a connection was ended: also the label of its metric. */
export const endReasons = [
  'idle',
  'making_room',
  'answer_not_read',
  'too_many_unanswered',
  'refused',
  'closing',
] as const;
export type EndReason = (typeof endReasons)[number];

export type ClientConnections = {
  /** Counts and limits the connections of this server from now on. `event`: for a connection that can carry requests. */
  watch(server: Server, event?: 'connection' | 'secureConnection'): void;
  /** Called by the server for each request, instead of `handler`. */
  inTurn(handler: RequestListener): RequestListener;
  /** Another protocol, or an answer without end, is on it from now on, and ends it: counted, but neither idle nor unread. */
  handOver(socket: Socket): void;
  /** Whether this connection was opened beyond the limit, where only operators are answered. */
  isBeyondBound(socket: Socket): boolean;
  count(): number;
  /** From now on each connection ends with its next answer, which says so. Resolves when none is open, or after this time. */
  drain(withinMs: number): Promise<void>;
  /** Ends connections that wait for a request at once, and those with running answers after a few seconds. */
  beginClosing(): void;
  /** No timer is left behind. */
  close(): void;
};

type Connection = PlacedConnection & {
  /** Requests after the first: each begins when the one before it ends. */
  later: (() => void)[];
  /** The answer that was being written at the last check, and since when. */
  written: { answer: ServerResponse; sinceMs: number } | null;
};

type Options = {
  onEnd?(reason: EndReason): void;
  ownerOf?: OwnerOf;
  counts?: PlaceCounts | null;
};

const closingGraceMs = 5000;
/** From a client's connection to the process that answers it. */
const handOverMs = 50;
/** Requests of one connection. Node reads 64 KiB of them at once, and their answers would be in memory. */
export const maxUnanswered = 64;

export function createClientConnections(
  { headTimeoutMs, idleTimeoutMs, answerTimeoutMs, maxConnections }: ConnectionLimits,
  { onEnd = () => {}, ownerOf = createOwnerOf(), counts = null }: Options = {},
): ClientConnections {
  const places = createConnectionPlaces({
    ...{ maxConnections, ownerOf, counts },
    isWaiting: (socket) => waiting.has(socket),
    end: (socket) => end(socket, 'making_room'),
  });
  const connections = new Map<Socket, Connection>();
  // Connections without a request, with the time since when; the longest waiting first: a Map keeps insertion order.
  const waiting = new Map<Socket, number>();
  // Node's own timers come first: this one is for a client that resets them, for example with line ends between requests.
  const maxWaitMs = idleTimeoutMs + headTimeoutMs;
  const lookEveryMs = Math.max(20, Math.min(1000, answerTimeoutMs / 4, maxWaitMs / 4));
  const timer = setInterval(look, lookEveryMs).unref();
  let closingSinceMs: number | null = null;
  let isDraining = false;
  const emptiness = createEmptiness(() => connections.size);

  return {
    watch(server, event = 'connection') {
      server.on(event as 'connection', open);
    },
    inTurn: (handler) => (request, answer) => take(request, answer, () => handler(request, answer)),
    handOver(socket) {
      waiting.delete(socket);
      const connection = connections.get(socket);
      if (!connection) return;
      connection.answers = [];
      connection.isHandedOver = true;
    },
    isBeyondBound(socket) {
      const connection = connections.get(socket);
      return connection !== undefined && connection.place === null && !places.take(connection);
    },
    count: () => connections.size,
    async drain(withinMs) {
      isDraining = true;
      for (const { answers } of connections.values()) sayLast(answers);
      await emptiness.await(withinMs);
    },
    beginClosing() {
      isDraining = true;
      closingSinceMs = performance.now();
      for (const socket of waiting.keys()) end(socket, 'closing');
    },
    close: () => clearInterval(timer),
  };

  function open(socket: Socket): void {
    const connection = toConnection(socket);
    if (!places.take(connection) && !places.takeBeyond(connection)) {
      onEnd('refused');
      socket.destroy();
      return;
    }
    emptiness.noteOpened();
    connections.set(socket, connection);
    waiting.set(socket, performance.now());
    socket.once('close', () => forget(socket));
  }

  function take({ socket }: IncomingMessage, answer: ServerResponse, begin: () => void): void {
    const connection = connections.get(socket);
    // It came together with a request that ended the connection.
    if (!connection) return;
    waiting.delete(socket);
    connection.answers.push(answer);
    if (connection.answers.length > maxUnanswered) {
      end(socket, 'too_many_unanswered');
      return;
    }
    answer.once('close', () => {
      const place = connection.answers.indexOf(answer);
      if (place >= 0) connection.answers.splice(place, 1);
      if (!socket.writable || !connections.has(socket)) return;
      if (connection.answers.length > 0) connection.later.shift()?.();
      else if (closingSinceMs !== null) end(socket, 'closing');
      else rest(connection);
    });
    const beginInTurn = (): void => {
      if (isDraining) sayLast(connection.answers);
      begin();
    };
    if (connection.answers.length === 1) beginInTurn();
    else connection.later.push(beginInTurn);
  }

  /** It waits for a request. */
  function rest({ socket, place, beyond: other }: Connection): void {
    waiting.set(socket, performance.now());
    place?.use();
    other?.use();
  }

  function look(): void {
    const now = performance.now();
    for (const [socket, since] of waiting) {
      if (now - since < maxWaitMs) break;
      end(socket, 'idle');
    }
    for (const connection of connections.values()) {
      if (unreadMs(connection, now) > answerTimeoutMs) end(connection.socket, 'answer_not_read');
      else if (closingSinceMs !== null && now - closingSinceMs > closingGraceMs) endUnlessWorkedOn(connection);
    }
  }

  /** Requests that are being processed are answered; connections that wait for their client are ended. */
  function endUnlessWorkedOn({ socket, answers: [answer] }: Connection): void {
    if (!answer || answer.headersSent || !answer.req.complete) end(socket, 'closing');
  }

  function end(socket: Socket, reason: EndReason): void {
    onEnd(reason);
    forget(socket);
    socket.destroy();
  }

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    connection?.place?.leave();
    connection?.beyond?.leave();
    connections.delete(socket);
    waiting.delete(socket);
    emptiness.noteEnded();
  }
}

/** How long its answer has been written without an end, as far as was seen. */
function unreadMs(connection: Connection, now: number): number {
  const [answer] = connection.answers;
  if (!answer?.headersSent) connection.written = null;
  else if (connection.written?.answer !== answer) connection.written = { answer, sinceMs: now };
  else return now - connection.written.sinceMs;
  return 0;
}

/** All requests that came together are answered: the last answer announces the end. */
function sayLast(answers: readonly ServerResponse[]): void {
  const [answer] = answers;
  if (answer && answers.length === 1 && !answer.headersSent) answer.shouldKeepAlive = false;
}

function toConnection(socket: Socket): Connection {
  return { socket, answers: [], later: [], written: null, isHandedOver: false, place: null, beyond: null };
}

/** How to wait until no connection is open. */
function createEmptiness(count: () => number) {
  let empty = new AbortController();
  let hasOpened = false;
  return {
    noteOpened(): void {
      hasOpened = true;
    },
    noteEnded(): void {
      if (count() === 0) empty.abort();
    },
    async await(withinMs: number): Promise<void> {
      const untilMs = performance.now() + withinMs;
      do {
        empty = new AbortController();
        if (count() > 0) await pause(untilMs - performance.now(), empty.signal);
        hasOpened = false;
        // A connection may be open that the system, or the process that shares the port, has not handed over yet.
        await pause(Math.max(0, Math.min(handOverMs, untilMs - performance.now())));
      } while ((count() > 0 || hasOpened) && performance.now() < untilMs);
    },
  };
}
