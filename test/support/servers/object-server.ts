// An object store on loopback: a real S3 server behind a proxy that counts requests and injects faults.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';

/** What the proxy does instead of passing the answer on. */
export type StoreFault =
  /** An error of the store. */
  | { kind: 'error'; status: number; code: string; message?: string; headers?: Record<string, string> }
  | { kind: 'reset' }
  /** Half of the body, then the end of the connection, or nothing more. */
  | { kind: 'truncate' | 'stall' }
  /** The body in so many parts, with a pause before each. */
  | { kind: 'drip'; parts: number; pauseMs: number };

type SeenRequest = { kind: 'list' | 'get' | 'change'; url: string; headers: IncomingMessage['headers'] };

export type ObjectServer = {
  /** Of the proxy. */
  endpoint: string;
  bucket: string;
  /** Since the last call of `forget`. */
  seen: SeenRequest[];
  forget(): void;
  /** Maximum of names in a page; 1,000 by default. */
  pageSize: number | null;
  /** Called for each request. */
  fault: (request: SeenRequest) => StoreFault | null;
  put(key: string, body: string | Buffer): Promise<void>;
  /** Everything in a folder, under its relative names. */
  putFolder(folder: string, prefix?: string): Promise<void>;
  close(): Promise<void>;
};

/** Credentials of the server. */
export const storeCredentials = {
  AWS_ACCESS_KEY_ID: 'S3RVER',
  AWS_SECRET_ACCESS_KEY: 'S3RVER',
  AWS_REGION: 'us-east-1',
};

export async function startObjectServer(directory: string): Promise<ObjectServer> {
  const bucket = 'streams';
  const script = fileURLToPath(new URL('s3-server-process.mjs', import.meta.url));
  const s3 = fork(script, [directory, bucket], { execArgv: ['--openssl-legacy-provider', '--no-deprecation'] });
  const [{ port: behind }] = (await once(s3, 'message')) as [{ port: number }];
  const accessKeyId = storeCredentials.AWS_ACCESS_KEY_ID;
  const client = new S3Client({
    endpoint: `http://127.0.0.1:${behind}`,
    forcePathStyle: true,
    region: storeCredentials.AWS_REGION,
    credentials: { accessKeyId, secretAccessKey: storeCredentials.AWS_SECRET_ACCESS_KEY },
  });

  const server: ObjectServer = {
    endpoint: '',
    bucket,
    seen: [],
    forget: () => server.seen.splice(0),
    pageSize: null,
    fault: () => null,
    async put(key, body) {
      await client.send(
        new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentLength: Buffer.byteLength(body) }),
      );
    },
    async putFolder(folder, prefix = '') {
      const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
      const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
      const toKey = (path: string): string => prefix + relative(folder, path).split(sep).join('/');
      // The server lists a folder only if an object is directly in it.
      for (const entry of entries)
        if (entry.isDirectory()) await server.put(`${toKey(join(entry.parentPath, entry.name))}/.folder`, '');
      for (let from = 0; from < paths.length; from += 32) {
        await Promise.all(paths.slice(from, from + 32).map((path) => server.put(toKey(path), readFileSync(path))));
      }
    },
    async close() {
      proxy.closeAllConnections();
      await new Promise((done) => proxy.close(done));
      client.destroy();
      const ended = once(s3, 'exit');
      s3.disconnect();
      await ended;
    },
  };

  const proxy = createServer((asked, answer) => {
    const url = asked.url!;
    const reading = /[?&]list-type=2/.test(url) ? 'list' : 'get';
    const seen: SeenRequest = { kind: asked.method === 'GET' ? reading : 'change', url, headers: asked.headers };
    server.seen.push(seen);
    const fault = server.fault(seen);
    if (fault?.kind === 'error') return sendError(answer, fault);
    if (fault?.kind === 'reset') return asked.socket.destroy();
    const paged = seen.kind === 'list' && server.pageSize !== null && !url.includes('max-keys=');
    const path = paged ? `${url}&max-keys=${server.pageSize}` : url;
    const forwarded = request(
      { host: '127.0.0.1', port: behind, method: asked.method, path, headers: asked.headers },
      (given) =>
        void readWhole(given).then(
          (body) => send(answer, given, body, fault),
          () => answer.destroy(),
        ),
    );
    // The store closed an idle connection, or ended within an answer: one more broken answer.
    forwarded.on('error', () => answer.destroy());
    asked.pipe(forwarded);
  });
  await listen(proxy);
  server.endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return server;
}

export async function listen(server: Server): Promise<void> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
}

function sendError(answer: ServerResponse, fault: Extract<StoreFault, { kind: 'error' }>): void {
  const { status, code, message = 'made up for a test', headers } = fault;
  answer.writeHead(status, { 'content-type': 'application/xml', ...headers });
  answer.end(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  );
}

async function readWhole(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function send(
  answer: ServerResponse,
  given: IncomingMessage,
  body: Buffer,
  fault: Exclude<StoreFault, { kind: 'error' | 'reset' }> | null,
): Promise<void> {
  const { 'transfer-encoding': _, ...headers } = given.headers;
  answer.writeHead(given.statusCode!, { ...headers, 'content-length': body.length });
  if (!fault) {
    answer.end(body);
    return;
  }
  if (fault.kind === 'drip') {
    const size = Math.ceil(body.length / fault.parts);
    for (let part = 0; part < fault.parts && !answer.destroyed; part++) {
      await new Promise((done) => setTimeout(done, fault.pauseMs));
      answer.write(body.subarray(part * size, (part + 1) * size));
    }
    answer.end();
    return;
  }
  answer.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    if (fault.kind === 'truncate') answer.destroy();
  });
}
