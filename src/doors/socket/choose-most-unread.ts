// Which web sockets end when all of them leave too much unread.
import type { Client } from './socket-client.ts';

type Socket = Pick<Client, 'name' | 'unread'>;

/** Until the rest has at most this, bytes: of the client with most the socket with most. */
export function chooseMostUnread<T extends Socket>(sockets: Iterable<T>, max: number): T[] {
  const byClient = new Map<string, { sum: number; sockets: { socket: T; bytes: number }[] }>();
  let sum = 0;
  for (const socket of sockets) {
    const bytes = socket.unread();
    if (bytes === 0) continue;
    const own = byClient.get(socket.name) ?? { sum: 0, sockets: [] };
    byClient.set(socket.name, own);
    own.sum += bytes;
    own.sockets.push({ socket, bytes });
    sum += bytes;
  }
  if (sum <= max) return [];
  for (const own of byClient.values()) own.sockets.sort((one, other) => one.bytes - other.bytes);
  const chosen: T[] = [];
  while (sum > max) {
    const most = [...byClient.values()].reduce((one, other) => (other.sum > one.sum ? other : one));
    const { socket, bytes } = most.sockets.pop()!;
    chosen.push(socket);
    most.sum -= bytes;
    sum -= bytes;
  }
  return chosen;
}
