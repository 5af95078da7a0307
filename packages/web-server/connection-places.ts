// The places of connections: who has few takes one from who has most, and a few are beyond the limit.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { createClientPlaces, type Place } from '../kit/shares/client-places.ts';
import type { PlaceCounts } from '../kit/shares/door-places.ts';
import type { OwnerOf } from './client-of.ts';

export type PlacedConnection = {
  socket: Socket;
  /** In the order of their requests; the first is being written. */
  answers: ServerResponse[];
  /** Another protocol is on it, or an answer without end. */
  isHandedOver: boolean;
  /** null = it was opened beyond the limit. */
  place: Place | null;
  /** Of those beyond the limit. */
  beyond: Place | null;
};

export type ConnectionPlaces = {
  /** Whether it has a place: of those within the limit, or beyond. */
  take(connection: PlacedConnection): boolean;
  takeBeyond(connection: PlacedConnection): boolean;
  /** Whether it is still beyond the limit: one that has room by now is within. */
  isBeyond(connection: PlacedConnection): boolean;
  /** It was used: others make room before it. */
  use(connection: PlacedConnection): void;
  leave(connection: PlacedConnection): void;
};

type Options = {
  maxConnections: number;
  ownerOf: OwnerOf;
  counts: PlaceCounts | null;
  /** Whether it has no request. */
  isWaiting(socket: Socket): boolean;
  /** Makes room. */
  end(socket: Socket): void;
};

/** This many connections are open beyond the limit, for health checks, metrics and refusals. */
export const connectionsBeyondBound = 32;

export function createConnectionPlaces(options: Options): ConnectionPlaces {
  const { maxConnections, ownerOf, counts, isWaiting, end } = options;
  // A client that has most gives up its own idle ones for its new ones.
  const rules = { withdraws: 'oldest', replacesOwn: true } as const;
  const within = createClientPlaces({ max: maxConnections, ...rules, ...counts });
  const beyond = createClientPlaces({ max: connectionsBeyondBound, ...rules });

  /** How soon it makes room for another client; null = not now. Of its own client only those without a request do. */
  function rankOf({ socket, answers: [answer], isHandedOver }: PlacedConnection, isOwn: boolean): number | null {
    if (isWaiting(socket)) return 0;
    if (isOwn) return null;
    if (answer && !answer.req.complete) return 1;
    if (answer?.headersSent) return 2;
    if (isHandedOver) return 3;
    const { client, isProxy } = ownerOf(socket);
    return !isProxy && within.heldBy(client) > maxConnections / 2 ? 4 : null;
  }

  function take(connection: PlacedConnection): boolean {
    const { socket } = connection;
    connection.place = within.tryEnter(ownerOf(socket).client, {
      withdraw: () => end(socket),
      rank: (isOwn) => rankOf(connection, isOwn),
    });
    if (connection.place === null) return false;
    connection.beyond?.leave();
    connection.beyond = null;
    return true;
  }

  return {
    take,
    isBeyond: (connection) => connection.place === null && !take(connection),
    takeBeyond(connection) {
      const { socket } = connection;
      connection.beyond = beyond.tryEnter(ownerOf(socket).client, {
        withdraw: () => end(socket),
        rank: () => (isWaiting(socket) ? 0 : null),
      });
      return connection.beyond !== null;
    },
    use({ place, beyond: other }) {
      place?.use();
      other?.use();
    },
    leave({ place, beyond: other }) {
      place?.leave();
      other?.leave();
    },
  };
}
