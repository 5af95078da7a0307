// Clients that ask without a pause, each request on a separate connection, while workers of a `serve` are killed.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type KillFigures = {
  kills: number;
  answered: number;
  /** The connection ended before an answer was whole. */
  cut: number;
  refused: number;
  /** No end within the time. */
  hanging: number;
  /** Sockets of the supervisor that belong to connections of clients, when all clients were gone. */
  leftOpen: number;
};

export type KillOptions = {
  url: string;
  supervisorPid: number;
  kills: number;
  clients: number;
  /** Within which each request has to end. */
  maxMs: number;
  onKill?(kills: number): void;
};

/** Linux only. Kills a worker each time that at least two answer. */
export async function killWorkersUnderLoad(options: KillOptions): Promise<KillFigures> {
  const { url, supervisorPid, kills, clients, maxMs, onKill = () => {} } = options;
  const port = Number(new URL(url).port);
  const figures: KillFigures = { kills: 0, answered: 0, cut: 0, refused: 0, hanging: 0, leftOpen: 0 };
  let isOver = false;
  const client = async (): Promise<void> => {
    while (!isOver) figures[await askOnce(port, maxMs)] += 1;
  };
  const asking = Array.from({ length: clients }, client);
  try {
    while (figures.kills < kills) {
      await sleep(50);
      if ((await answeringWorkers(port, maxMs)) < 2) continue;
      // In the middle of the work, not at the same turn each time.
      await sleep(Math.random() * 100);
      const workers = childrenOf(supervisorPid);
      process.kill(workers[Math.floor(Math.random() * workers.length)]!, 'SIGKILL');
      figures.kills += 1;
      onKill(figures.kills);
    }
    await sleep(200);
  } finally {
    isOver = true;
    await Promise.all(asking);
  }
  // What a client closed is closed here a moment later.
  for (let times = 0; times < 100; times += 1) {
    figures.leftOpen = clientSocketsOf(supervisorPid, port);
    if (figures.leftOpen === 0) break;
    await sleep(50);
  }
  return figures;
}

type End = 'answered' | 'cut' | 'refused' | 'hanging';

function askOnce(port: number, maxMs: number): Promise<End> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let received = '';
    const end = (how: End): void => {
      clearTimeout(timer);
      socket.destroy();
      done(how);
    };
    const timer = setTimeout(() => end('hanging'), maxMs);
    socket.on('connect', () => socket.write('GET /api/v1/blocks HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'));
    socket.setEncoding('latin1').on('data', (text: string) => {
      received += text;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code === 'ECONNREFUSED' ? 'refused' : 'cut'));
    socket.on('close', () => end(isWhole(received) ? 'answered' : 'cut'));
  });
}

function isWhole(answer: string): boolean {
  const length = /\r\ncontent-length: (\d+)/i.exec(answer);
  return length !== null && answer.length - answer.indexOf('\r\n\r\n') - 4 === Number(length[1]);
}

/** As their metrics say; 0 where they do not answer. */
async function answeringWorkers(port: number, maxMs: number): Promise<number> {
  try {
    const signal = AbortSignal.timeout(maxMs);
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' }, signal });
    return Number(/^ledger_mirror_workers\{state="answering"\} (\d+)/m.exec(await answer.text())?.[1] ?? 0);
  } catch {
    // The worker that was asked has just been killed.
    return 0;
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text.split(' ').filter(Boolean).map(Number);
}

/** Sockets that this process holds of connections to the port, in any state but listening. */
function clientSocketsOf(pid: number, port: number): number {
  const ofPort = new Set<string>();
  for (const table of ['tcp', 'tcp6']) {
    for (const line of readFileSync(`/proc/${pid}/net/${table}`, 'utf8').split('\n').slice(1)) {
      const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
      const isOfPort = local?.endsWith(`:${port.toString(16).toUpperCase().padStart(4, '0')}`);
      if (isOfPort && state !== '0A') ofPort.add(`socket:[${inode}]`);
    }
  }
  return readdirSync(`/proc/${pid}/fd`).filter((name) => {
    try {
      return ofPort.has(readlinkSync(`/proc/${pid}/fd/${name}`));
    } catch {
      return false; // Closed meanwhile.
    }
  }).length;
}
