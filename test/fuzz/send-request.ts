// Two ways to a server: direct calls, which are fast, or the exact bytes over a socket.
import { connect } from 'node:net';
import type { InjectOptions } from 'fastify';
import { type FuzzRequest, toUrl } from './fuzz-request.ts';
import type { FuzzTarget } from './fuzz-targets.ts';

export type FuzzAnswer = {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body: Buffer;
  durationMs: number;
};

export async function sendDirectly({ app }: FuzzTarget, request: FuzzRequest): Promise<FuzzAnswer> {
  const started = performance.now();
  const response = await app.inject({
    method: request.method as InjectOptions['method'],
    url: toUrl(request),
    headers: Object.fromEntries(request.headers),
    payload: request.body === '' ? undefined : Buffer.from(request.body, 'latin1'),
  });
  return {
    status: response.statusCode,
    headers: toTexts(response.headers),
    body: response.rawPayload,
    durationMs: performance.now() - started,
  };
}

/** null if the server closes without an answer, as it may on invalid HTTP. */
export async function sendOverSocket({ port }: { port: number }, request: FuzzRequest): Promise<FuzzAnswer | null> {
  const started = performance.now();
  const bytes = await exchange(port, toBytes(request));
  const durationMs = performance.now() - started;
  if (bytes.length === 0) return null;
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (end < 0 || !status)
    throw new Error(`This is no answer: ${JSON.stringify(bytes.subarray(0, 200).toString('latin1'))}`);
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const rest = bytes.subarray(end + 4);
  return { status, headers, body: headers['transfer-encoding'] === 'chunked' ? joinChunks(rest) : rest, durationMs };
}

function toBytes(request: FuzzRequest): Buffer {
  const { method, headers, body } = request;
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [
    `${method} ${toUrl(request)} HTTP/1.1`,
    ...(given.has('host') ? [] : ['Host: localhost']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body, 'latin1')]);
}

const timeoutMs = 120_000;

function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`No answer within ${timeoutMs} ms`)));
    socket.on('data', (chunk) => chunks.push(chunk));
    // A server that answers before it has read everything may reset the connection after that.
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
    socket.write(bytes);
  });
}

function joinChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    if (lineEnd < 0 || !(size >= 0)) throw new Error('The answer ends within its chunks');
    if (size === 0) return Buffer.concat(parts);
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
}

function toTexts(headers: Record<string, unknown>): FuzzAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
