// The body of a request as it comes, without a parser of the server between: that takes a tenth of a short answer.
import type { IncomingMessage } from 'node:http';

/**
 * Calls `take` with the whole body, or with null where it is longer than `maxBytes`; never where the client goes
 * before.
 */
export function readBody(request: IncomingMessage, maxBytes: number, take: (body: Buffer | null) => void): void {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
    take(null);
    return;
  }
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  let isTaken = false;
  const end = (body: Buffer | null): void => {
    if (isTaken) return;
    isTaken = true;
    take(body);
  };
  request.on('data', (part: Buffer) => {
    if (isTaken) return;
    sizeBytes += part.length;
    if (sizeBytes > maxBytes) return end(null);
    // Most come in one piece, and are whole before `end` says so.
    if (parts.length === 0 && request.complete && request.readableLength === 0) return end(part);
    parts.push(part);
  });
  request.on('end', () => end(Buffer.concat(parts)));
  request.on('error', () => {
    // The client has gone: the answer is not awaited.
    isTaken = true;
  });
}
