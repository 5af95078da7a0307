// The answer to bytes that are no HTTP request, or one with too large a head: no route ever meets them, and there is no
// reply to write to, only the connection.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { formatErrorBody, type RefusalCode, refuse } from './request-error.ts';

// Codes of Node's parser and timers; anything else is 'malformedRequest'.
const refusalCodes: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
};

export function refuseBytes(error: { code?: string }, socket: Socket): void {
  // Nobody listens on a connection that was reset, and nothing may be written into an answer that has begun: Node's own
  // way to tell.
  const begun = (socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const { status, messages } = refuse(refusalCodes[error.code ?? ''] ?? 'malformedRequest');
  const body = formatErrorBody(messages);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Access-Control-Allow-Origin: *',
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}
