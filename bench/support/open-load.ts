// Sends GET requests at a fixed rate, whether or not the server keeps up, over a number of keep-alive connections. A
// request is timed from the moment it was due; if no connection is free by then, it counts as not sent.
import { createConnection, type Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { pause } from '../../packages/kit/pause.ts';
import { createAnswerReader } from './http-load.ts';

export type OpenLoadOptions = {
  url: string;
  paths: readonly string[];
  connections: number;
  perSecond: number;
  seconds: number;
};

export type OpenLoadFigures = {
  /** Answers of each kind: the status, and whether a refusal had Retry-After. */
  kinds: Map<string, number>;
  /** Of answers with status 200, ascending: from the moment they were due … */
  acceptedMs: Float64Array;
  /** … and from the moment they were sent. */
  sinceSentMs: Float64Array;
  /** How late the sender itself was, because it shares the machine with the server: of all sent requests, ascending. */
  senderLateMs: Float64Array;
  /** 99th percentile of the delay of the sender's timers: an answer may have waited so long to be read. */
  senderDelayP99Ms: number;
  sent: number;
  notSent: number;
  /** Connections that ended unexpectedly. */
  lost: number;
};

const tickMs = 5;
/** An answer that takes longer counts as none. */
const answerWithinMs = 60_000;

type Client = {
  socket: Socket;
  reader: ReturnType<typeof createAnswerReader>;
  dueAt: number;
  sentAt: number;
  isBusy: boolean;
};

export async function sendOpenLoad(options: OpenLoadOptions): Promise<OpenLoadFigures> {
  const { url, paths, connections, perSecond, seconds } = options;
  const { hostname, port } = new URL(url);
  const requests = paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`));
  const figures = { kinds: new Map<string, number>(), sent: 0, notSent: 0, lost: 0 };
  const accepted: number[] = [];
  const sinceSent: number[] = [];
  const late: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const idle: Client[] = [];
  let turn = 0;
  let isOver = false;

  const connect = (): void => {
    const socket = createConnection({ host: hostname, port: Number(port), noDelay: true });
    const client: Client = { socket, reader: createAnswerReader(), dueAt: 0, sentAt: 0, isBusy: false };
    socket.on('connect', () => idle.push(client));
    socket.on('data', (chunk) => {
      if (client.reader.add(chunk)) take(client);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (isOver) return;
      figures.lost += 1;
      if (client.isBusy) count(figures.kinds, 'no answer');
      else idle.splice(idle.indexOf(client), 1);
      setTimeout(connect, 100);
    });
  };
  const take = (client: Client): void => {
    const status = client.reader.status();
    const retryAfter = client.reader.header('retry-after');
    count(figures.kinds, retryAfter === null ? `${status}` : `${status} with Retry-After`);
    if (status === 200) {
      const now = performance.now();
      accepted.push(now - client.dueAt);
      sinceSent.push(now - client.sentAt);
    }
    client.isBusy = false;
    idle.push(client);
  };

  for (let index = 0; index < connections; index++) connect();
  delay.enable();
  const began = performance.now();
  let due = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsedMs = performance.now() - began;
      for (; due < (elapsedMs / 1000) * perSecond; due++) {
        const client = idle.shift();
        if (!client) {
          figures.notSent += 1;
          continue;
        }
        client.isBusy = true;
        client.dueAt = began + (due * 1000) / perSecond;
        client.sentAt = performance.now();
        late.push(client.sentAt - client.dueAt);
        client.socket.write(requests[turn++ % requests.length]!);
        figures.sent += 1;
      }
      if (elapsedMs < seconds * 1000) return;
      clearInterval(timer);
      resolve();
    }, tickMs);
  });
  for (const until = performance.now() + answerWithinMs; answered(figures.kinds) < figures.sent; ) {
    if (performance.now() > until) break;
    await pause(20);
  }
  isOver = true;
  delay.disable();
  const silent = figures.sent - answered(figures.kinds);
  if (silent > 0) figures.kinds.set('no answer', (figures.kinds.get('no answer') ?? 0) + silent);
  for (const { socket } of idle) socket.destroy();
  return {
    ...figures,
    acceptedMs: Float64Array.from(accepted).sort(),
    sinceSentMs: Float64Array.from(sinceSent).sort(),
    senderLateMs: Float64Array.from(late).sort(),
    senderDelayP99Ms: delay.percentile(99) / 1e6,
  };
}

function count(kinds: Map<string, number>, kind: string): void {
  kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
}

function answered(kinds: Map<string, number>): number {
  return [...kinds.values()].reduce((sum, number) => sum + number, 0);
}
