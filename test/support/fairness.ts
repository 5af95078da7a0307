// A server with every door over a small simulated ledger, and clients of many addresses that ask it: one hostile, eight
// honest. Loopback has 16 million addresses, and each is a client of its own.
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { openImported } from '../../packages/test-support/ledgers/open-imported.ts';
import { serveHere } from './program/serve-here.ts';

export const hostile = '127.0.0.66';
export const honest: readonly string[] = Array.from({ length: 8 }, (_, place) => `127.0.1.${place + 1}`);

export type FairServer = {
  httpPort: number;
  portOf(door: 'JSON-RPC and web sockets' | 'gRPC' | 'Block node'): number;
  /** The sum of a metric's values whose labels match. */
  metric(name: string, labels?: string): Promise<number>;
  /** What was logged at error. */
  failures: readonly string[];
  close(): Promise<void>;
};

/** @param flags of `serve` */
export async function openFairServer(flags: readonly string[] = []): Promise<FairServer> {
  const network = { format: 'blocks' } as const;
  const ledger = await openImported({ seed: 'fairness', blocks: 4, transactionsPerBlock: 10, network });
  const scratch = await ledger.openDatabase();
  const failures: string[] = [];
  const doors = ['--rpc-port', '0', '--grpc-port', '0', '--block-node-port', '0', '--source', ledger.stream.folder];
  const server = await serveHere(scratch.connectionString, [...doors, '--status-service', 'off', ...flags], {
    log: pino({ level: 'error' }, { write: (line: string) => void failures.push(line) }),
  });
  const httpPort = Number(new URL(server.url).port);
  return {
    ...{ httpPort, failures },
    portOf(door) {
      const place = server.places.find((one) => one.startsWith(`${door}: `))!;
      return Number(/:(\d+)\/?$/.exec(place)![1]);
    },
    async metric(name, labels = '') {
      // An address that nobody else has: it gets its answer whatever others hold.
      const answer = await ask({ port: httpPort, from: '127.0.2.1', path: '/metrics' });
      const lines = (await textOf(answer)).split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    },
    async close() {
      await server.close();
      await scratch.close();
    },
  };
}

type Asked = {
  port: number;
  from: string;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
};

/** Resolves with the head of its answer; on a connection of its own. */
export function ask({ from, body, ...asked }: Asked): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    const request = requestHttp({ host: '127.0.0.1', localAddress: from, agent: false, ...asked }, done);
    request.on('error', fail);
    request.end(body);
  });
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of answer) text += part;
  return text;
}

/** One of JSON-RPC. */
export async function askRpc(port: number, from: string, method: string, ...params: unknown[]) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const headers = { 'content-type': 'application/json' };
  const answer = await ask({ port, from, path: '/', method: 'POST', headers, body });
  const { result, error } = JSON.parse(await textOf(answer)) as { result?: unknown; error?: { code: number } };
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], result, error };
}

export async function openSocket(port: number, from: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => {});
  await new Promise<void>((done) => {
    socket.once('connect', done);
    socket.once('close', () => done());
  });
  return socket;
}

export type GrpcCall = {
  /** Once it has ended: number of its status, null = without one; and how long it says to wait, ms. */
  ended: Promise<{ status: number | null; pushBackMs: number | null }>;
  isOpen(): boolean;
  /** Bytes of messages. */
  received(): number;
  close(): void;
};

/** A client of gRPC, written here: that of the library cannot choose its address. */
export async function openGrpcConnection(port: number, from: string) {
  const socket = await openSocket(port, from);
  const session: ClientHttp2Session = connectHttp2(`http://127.0.0.1:${port}`, { createConnection: () => socket });
  session.on('error', () => {});
  return {
    session,
    /** `message`: as protobuf. `reads`: whether it takes what comes. `endsAsking`: false = more requests may follow. */
    call(path: string, message: Buffer, { reads = true, endsAsking = true } = {}): GrpcCall {
      const stream = session.request({
        ...{ ':method': 'POST', ':path': path, te: 'trailers', 'content-type': 'application/grpc' },
      });
      let [isOpen, received] = [true, 0];
      let told: Record<string, unknown> = {};
      stream.on('error', () => {});
      // A call that is refused has its status in the head.
      stream.on('response', (head) => {
        told = { ...head };
      });
      stream.on('trailers', (trailers) => {
        told = { ...told, ...trailers };
      });
      if (reads) {
        stream.on('data', (bytes: Buffer) => {
          received += bytes.length;
        });
      }
      const head = Buffer.alloc(5);
      head.writeUInt32BE(message.length, 1);
      stream.write(Buffer.concat([head, message]));
      if (endsAsking) stream.end();
      const numberOf = (name: string): number | null => (told[name] === undefined ? null : Number(told[name]));
      const ended = new Promise<Awaited<GrpcCall['ended']>>((done) =>
        stream.once('close', () => {
          isOpen = false;
          done({ status: numberOf('grpc-status'), pushBackMs: numberOf('grpc-retry-pushback-ms') });
        }),
      );
      return { ended, isOpen: () => isOpen, received: () => received, close: () => stream.close() };
    },
    close: () => session.destroy(),
  };
}

/** Until what happened meanwhile is done. */
export const settle = (ms = 100): Promise<void> => new Promise((done) => setTimeout(done, ms));
