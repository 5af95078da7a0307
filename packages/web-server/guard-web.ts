// Refuses what names and pages that are not allowed ask for, beyond what every page may read: before a body is read,
// and before a connection is upgraded.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { endRaw } from './end-raw.ts';
import { formatErrorBody, RequestError } from './request-error.ts';
import { refuseStranger, type WebAccess } from './web-access.ts';
import { writeAnswer } from './write-answer.ts';

export type WebGuardOptions = {
  access: WebAccess;
  /** A request that another program of this one has let in; default: none is. */
  isLetIn?(request: FastifyRequest): boolean;
};

/** Answers to these can be read by every page, and cost what a read costs. */
const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Of programs, never of browsers, and of no worth without a token: a report to the status service. */
const reports = /^\/status\/report(?:\/leave)?\/?(?:\?|$)/i;

/** To be called before routes are added. */
export function addWebGuard(app: FastifyInstance, { access, isLetIn = () => false }: WebGuardOptions): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (readingMethods.has(request.method)) return done();
    const { headers, url = '' } = request.raw;
    const refused = refuseStranger(headers, access);
    if (refused === null || reports.test(url) || isLetIn(request)) return done();
    const error = new RequestError([refused]);
    const body = request.routeOptions.url === '/rpc' ? formatRpcRefusal(error) : formatErrorBody(error.messages);
    void writeAnswer(request, reply, { status: error.status, body, cacheControl: 'no-store' });
  });
}

/** null = the connection may be upgraded. */
export function refuseUpgrade({ headers }: IncomingMessage, access: WebAccess): RequestError | null {
  const refused = refuseStranger(headers, access);
  return refused && new RequestError([refused]);
}

/** The connection ends with an answer that says why it is not upgraded. */
export function endUpgrade(socket: Socket, error: RequestError, clusterId: string | null): void {
  socket.on('error', () => socket.destroy());
  // What the client goes on to say is read for a moment, so that it sees the answer.
  socket.resume();
  endRaw(socket, { status: error.status, body: formatRpcRefusal(error), clusterId });
}

/** In the form of JSON-RPC, of a request that was not read. */
export function formatRpcRefusal({ messages }: RequestError): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message: messages[0] } });
}
