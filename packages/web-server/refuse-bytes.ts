// The answer to bytes that are no HTTP request, or one with too large a head: they reach no route, and there is only
// the connection to write to.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endRaw } from './end-raw.ts';
import type { ParserError, RefuseHttp2 } from './refuse-http2.ts';
import { formatErrorBody, type RefusalCode, refuse } from './request-error.ts';

// Codes of Node's parser and timers; anything else is 'malformedRequest'.
const refusalCodes: Readonly<Record<string, RefusalCode>> = {
  HPE_HEADER_OVERFLOW: 'headTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTimeout',
};

/** Internal members of Node: the current answer of a connection, and the incomplete request. */
type HttpSocket = { _httpMessage?: ServerResponse | null; parser?: { incoming?: IncomingMessage | null } | null };

type RefuseOptions = {
  clusterId: string | null;
  /** Default: HTTP/2 gets the answer to any bytes that are no request. */
  refuseHttp2?: RefuseHttp2;
};

export function refuseBytes(options: RefuseOptions): (error: ParserError, socket: Socket) => void {
  return (error, socket) => refuseOn(socket, error, options);
}

function refuseOn(socket: Socket, error: ParserError, { clusterId, refuseHttp2 }: RefuseOptions): void {
  const { _httpMessage: answer, parser } = socket as HttpSocket;
  // After a reset there is no reader.
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (socket.bytesRead === 0) {
    // Nothing was asked. Clients open connections ahead: what is written now, one would take for the answer to what it
    // asks at the same moment.
    socket.destroySoon();
    return;
  }
  if (refuseHttp2?.(socket, error)) return;
  if (answer?.req.complete) {
    // These bytes follow a whole request: its answer is sent first, and nothing after it.
    if (answer.writableEnded) socket.destroySoon();
    else if (answer.headersSent) socket.destroy();
    else answer.shouldKeepAlive = false;
    return;
  }
  if (!answer && parser?.incoming?.complete === false) {
    // The rest of an answered request: a second answer would be taken for that of the next request.
    socket.destroySoon();
    return;
  }
  if (answer?.headersSent) {
    // Nothing may be written into an answer that has begun.
    socket.destroy();
    return;
  }
  const { status, messages } = refuse(refusalCodes[error.code ?? ''] ?? 'malformedRequest');
  const body = formatErrorBody(messages);
  endRaw(socket, { status, body, clusterId, headers: ['Access-Control-Allow-Origin: *'] });
}
