// Sends GET requests over keep-alive connections, each as soon as its last one is answered, and times them. Own code
// because load tools time whole milliseconds, the length of five answers, and take more of the shared CPU than the
// server.
import { createConnection, type Socket } from 'node:net';

export type LoadFigures = { perSecond: number; p50Ms: number; p99Ms: number; count: number; bytes: number };

export type LoadOptions = {
  /** e.g. `http://127.0.0.1:5551`. */
  url: string;
  paths: readonly string[];
  /** JSON texts, each posted to the path in its place. */
  bodies?: readonly string[];
  /** Default: answers come as they are. */
  takesGzip?: boolean;
  /** Default 200. */
  isExpected?(status: number): boolean;
  connections: number;
  /** Loopback addresses from which the connections come in turn; default: that of the system. */
  addresses?: readonly string[];
  /** At least this long … */
  seconds: number;
  /** … and at least so many requests, but never longer than this, ten times as long where nothing is said. */
  leastRequests?: number;
  maxSeconds?: number;
  /** Ends it whatever is not answered yet. */
  signal?: AbortSignal;
};

/** What was seen of each answer; several slices of one measurement are summed up together. */
export type TimedLoad = { seconds: number; durationsMs: number[]; bytes: number };

export async function measureLoad(options: LoadOptions): Promise<LoadFigures> {
  return summarizeLoads([await timeLoad(options)]);
}

/** Rejects at the first answer whose status is not expected. */
export async function timeLoad(options: LoadOptions): Promise<TimedLoad> {
  const { url, paths, bodies, connections, seconds, leastRequests = 0, maxSeconds = seconds * 10 } = options;
  const { isExpected = (status) => status === 200 } = options;
  const { hostname, port } = new URL(url);
  const requests = paths.map((path, index) => toRequest(hostname, path, bodies?.[index], options.takesGzip));
  const durations: number[] = [];
  let bytes = 0;
  let turn = 0;
  const started = performance.now();
  const isOver = (now: number): boolean => {
    const elapsed = (now - started) / 1000;
    return elapsed >= maxSeconds || (elapsed >= seconds && durations.length >= leastRequests);
  };
  const run = (place: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const localAddress = options.addresses?.[place % options.addresses.length];
      const socket = createConnection({ host: hostname, port: Number(port), noDelay: true, localAddress });
      const reader = createAnswerReader();
      let sentAt = 0;
      let path = '';
      const send = (): void => {
        const index = turn++ % requests.length;
        path = paths[index]!;
        sentAt = performance.now();
        socket.write(requests[index]!);
      };
      socket.on('error', reject);
      socket.on('close', () => resolve());
      socket.on('connect', send);
      options.signal?.addEventListener('abort', () => socket.destroy(), { once: true });
      socket.on('data', (chunk) => {
        if (!reader.add(chunk)) return;
        const now = performance.now();
        durations.push(now - sentAt);
        bytes += reader.length();
        if (!isExpected(reader.status())) {
          fail(socket, reject, `${path} was answered with ${reader.status()}: ${chunk.toString().slice(-300)}`);
        } else if (isOver(now)) socket.end();
        else send();
      });
    });
  await Promise.all(Array.from({ length: connections }, (_, place) => run(place)));
  return { seconds: (performance.now() - started) / 1000, durationsMs: durations, bytes };
}

export function summarizeLoads(loads: readonly TimedLoad[]): LoadFigures {
  const sorted = Float64Array.from(loads.flatMap(({ durationsMs }) => durationsMs)).sort();
  const total = (of: (load: TimedLoad) => number): number => loads.reduce((sum, load) => sum + of(load), 0);
  const quantile = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  return {
    perSecond: sorted.length / total(({ seconds }) => seconds),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    count: sorted.length,
    bytes: total(({ bytes }) => bytes) / sorted.length,
  };
}

function toRequest(hostname: string, path: string, body: string | undefined, takesGzip = false): Buffer {
  const host = `${hostname}${takesGzip ? '\r\naccept-encoding: gzip' : ''}`;
  if (body === undefined) return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
  const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json`;
  return Buffer.from(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

function fail(socket: Socket, reject: (error: Error) => void, message: string): void {
  socket.destroy();
  reject(new Error(message));
}

type AnswerReader = {
  /** Whether the answer is whole. */
  add(chunk: Buffer): boolean;
  status(): number;
  /** null = absent. */
  header(name: string): string | null;
  /** Bytes of the body. */
  length(): number;
};

/** The end of an answer in chunks. */
const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/**
 * One answer at a time, with a content-length or in chunks; the length of these is counted with what is around them.
 */
export function createAnswerReader(): AnswerReader {
  let head: Buffer | null = null;
  let headText = '';
  let status = 0;
  let bodyLength = 0;
  let missing = 0;
  let isChunked = false;
  /** Of an answer in chunks, as long as its end may be. */
  let ending: Buffer = Buffer.alloc(0);
  const addChunks = (bytes: Buffer): boolean => {
    bodyLength += bytes.length;
    ending = Buffer.concat([ending, bytes.subarray(-lastChunk.length)]).subarray(-lastChunk.length);
    isChunked = !ending.equals(lastChunk);
    return !isChunked;
  };
  return {
    add(chunk) {
      if (isChunked) return addChunks(chunk);
      if (missing > 0) {
        missing -= chunk.length;
        return missing <= 0;
      }
      const bytes: Buffer = head ? Buffer.concat([head, chunk]) : chunk;
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) {
        head = bytes;
        return false;
      }
      head = null;
      const text = bytes.toString('latin1', 0, end);
      status = Number(text.slice(9, 12));
      headText = text;
      if (/\r\ntransfer-encoding: *chunked/i.test(text)) {
        bodyLength = 0;
        ending = Buffer.alloc(0);
        return addChunks(bytes.subarray(end + 4));
      }
      const length = /\r\ncontent-length: *(\d+)/i.exec(text);
      if (!length) throw new Error(`An answer has no content-length:\n${text}`);
      bodyLength = Number(length[1]);
      missing = bodyLength - (bytes.length - end - 4);
      return missing <= 0;
    },
    status: () => status,
    header: (name) => new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(headText)?.[1] ?? null,
    length: () => bodyLength,
  };
}
