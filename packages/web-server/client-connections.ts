// The open connections of one listener, and the end of those that block it. Node limits how long a head and a body may take
// to arrive; this limits the rest: connections without a request, answers that are not read, and the number of connections,
// where a client with few of them takes the place of one of the client with most. A connection is never ended between the
// head of a request and its answer, unless its client keeps sending requests without reading answers, or has more than half of
// all connections. Its requests are passed on one after the other, each when the answer before it has been read: a client
// that sends many and reads nothing costs one answer.
import type { RequestListener, Server, ServerResponse } from 'node:http';
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

export function createClientConnections(limits: ConnectionLimits, options: Options = {}): ClientConnections {
  const { onEnd = () => {}, ownerOf = createOwnerOf(), counts = null } = options;
  const resting = createResting(limits);
  const places = createConnectionPlaces({
    maxConnections: limits.maxConnections,
    ownerOf,
    counts,
    isWaiting: resting.has,
    end: (socket) => end(socket, 'making_room'),
  });
  const connections = new Map<Socket, Connection>();
  const emptiness = createEmptiness(() => connections.size);
  const timer = setInterval(look, lookEveryMs(limits)).unref();
  let closingSinceMs: number | null = null;
  let isDraining = false;

  function open(socket: Socket): void {
    const connection = toConnection(socket);
    if (!places.take(connection) && !places.takeBeyond(connection)) {
      onEnd('refused');
      socket.destroy();
      return;
    }
    emptiness.noteOpened();
    connections.set(socket, connection);
    resting.begin(socket);
    socket.once('close', () => forget(socket));
  }

  function take(socket: Socket, answer: ServerResponse, begin: () => void): void {
    const connection = connections.get(socket);
    // Without one, the request came together with another that ended the connection.
    if (!connection) return;
    resting.end(socket);
    const isTaken = takeTurn(connection, answer, begin, {
      isLast: () => isDraining,
      isOpen: () => socket.writable && connections.has(socket),
      onAnswered: () => (closingSinceMs === null ? rest(connection) : end(socket, 'closing')),
    });
    if (!isTaken) end(socket, 'too_many_unanswered');
  }

  /** It waits for a request. */
  function rest(connection: Connection): void {
    resting.begin(connection.socket);
    places.use(connection);
  }

  function look(): void {
    const now = performance.now();
    for (const socket of resting.overdue(now)) end(socket, 'idle');
    const isGraceOver = closingSinceMs !== null && now - closingSinceMs > closingGraceMs;
    for (const connection of connections.values()) {
      const reason = reasonToEnd(connection, { now, isGraceOver, ...limits });
      if (reason) end(connection.socket, reason);
    }
  }

  function end(socket: Socket, reason: EndReason): void {
    onEnd(reason);
    forget(socket);
    socket.destroy();
  }

  function forget(socket: Socket): void {
    const connection = connections.get(socket);
    if (connection) places.leave(connection);
    connections.delete(socket);
    resting.end(socket);
    emptiness.noteEnded();
  }

  return {
    watch(server, event = 'connection') {
      server.on(event as 'connection', open);
    },
    inTurn: (handler) => (request, answer) => take(request.socket, answer, () => handler(request, answer)),
    handOver(socket) {
      resting.end(socket);
      const connection = connections.get(socket);
      if (connection) Object.assign(connection, { answers: [], isHandedOver: true });
    },
    isBeyondBound(socket) {
      const connection = connections.get(socket);
      return connection !== undefined && places.isBeyond(connection);
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
      for (const socket of resting.sockets()) end(socket, 'closing');
    },
    close: () => clearInterval(timer),
  };
}

/** Node's own timers come first: this one is for a client that resets them, for example with line ends between requests. */
function maxRestMs({ headTimeoutMs, idleTimeoutMs }: ConnectionLimits): number {
  return idleTimeoutMs + headTimeoutMs;
}

function lookEveryMs(limits: ConnectionLimits): number {
  return Math.max(20, Math.min(1000, limits.answerTimeoutMs / 4, maxRestMs(limits) / 4));
}

/** Connections without a request. */
function createResting(limits: ConnectionLimits) {
  // The longest waiting first: a Map keeps insertion order.
  const since = new Map<Socket, number>();
  return {
    has: (socket: Socket) => since.has(socket),
    sockets: () => since.keys(),
    begin(socket: Socket): void {
      since.set(socket, performance.now());
    },
    end(socket: Socket): void {
      since.delete(socket);
    },
    *overdue(now: number): Generator<Socket> {
      for (const [socket, sinceMs] of since) {
        if (now - sinceMs < maxRestMs(limits)) return;
        yield socket;
      }
    },
  };
}

type AtTurn = {
  /** Whether the connection ends with its next answer. */
  isLast(): boolean;
  /** Whether the connection still carries answers. */
  isOpen(): boolean;
  /** All requests that came are answered. */
  onAnswered(): void;
};

/** Begins a request when the answers before it have been read. false: too many wait. */
function takeTurn(connection: Connection, answer: ServerResponse, begin: () => void, at: AtTurn): boolean {
  connection.answers.push(answer);
  if (connection.answers.length > maxUnanswered) return false;
  answer.once('close', () => {
    const place = connection.answers.indexOf(answer);
    if (place >= 0) connection.answers.splice(place, 1);
    if (!at.isOpen()) return;
    if (connection.answers.length > 0) connection.later.shift()?.();
    else at.onAnswered();
  });
  const beginInTurn = (): void => {
    if (at.isLast()) sayLast(connection.answers);
    begin();
  };
  if (connection.answers.length === 1) beginInTurn();
  else connection.later.push(beginInTurn);
  return true;
}

type Moment = Pick<ConnectionLimits, 'answerTimeoutMs'> & { now: number; isGraceOver: boolean };

function reasonToEnd(connection: Connection, { now, isGraceOver, answerTimeoutMs }: Moment): EndReason | null {
  if (unreadMs(connection, now) > answerTimeoutMs) return 'answer_not_read';
  return isGraceOver && !isWorkedOn(connection) ? 'closing' : null;
}

/** Its request is being processed, so that it will be answered; others wait for their client. */
function isWorkedOn({ answers: [answer] }: Connection): boolean {
  return answer !== undefined && !answer.headersSent && answer.req.complete;
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
