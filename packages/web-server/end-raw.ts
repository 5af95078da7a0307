// The last answer of a connection on which no route answers: written to the socket itself.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

type RawAnswer = {
  status: number;
  /** JSON. */
  body: string;
  clusterId: string | null;
  /** Further lines of the head. */
  headers?: readonly string[];
};

/** Time for a client to read the reason before the connection is cut. */
const lingerMs = 1000;

export function endRaw(socket: Socket, { status, body, clusterId, headers = [] }: RawAnswer): void {
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...headers,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      ...(clusterId === null ? [] : [`x-cluster-id: ${clusterId}`]),
      '',
      body,
    ].join('\r\n'),
  );
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
