// How many connections a server has at a time, whatever is said on them: a client with few takes the place of one of
// the client with most.
import type { Server, Socket } from 'node:net';
import { createClientPlaces } from '../kit/shares/client-places.ts';
import type { PlaceCounts } from '../kit/shares/door-places.ts';
import type { OwnerOf } from './client-of.ts';

type Options = {
  max: number;
  ownerOf: OwnerOf;
  counts?: PlaceCounts;
  /** Those for which this is true go first. */
  isIdle?(socket: Socket): boolean;
};

export function limitSockets(server: Server, { max, ownerOf, counts, isIdle = () => false }: Options): void {
  const places = createClientPlaces({ max, ...counts });
  // Before the code that uses the connection.
  server.prependListener('connection', (socket: Socket) => {
    const place = places.tryEnter(ownerOf(socket).client, {
      withdraw: () => socket.destroy(),
      rank: () => (isIdle(socket) ? 0 : 1),
    });
    if (place) socket.once('close', place.leave);
    else socket.destroy();
  });
}
