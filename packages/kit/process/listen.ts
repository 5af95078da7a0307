// Opens the port of a server. A taken port is waited for, since a mirror that lost its launcher needs a moment to end;
// not if a program answers there that will stay.
import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pause } from '../pause.ts';
import type { Logger } from './log.ts';

export type ListenOptions = {
  port: number;
  host: string;
  /** The setting that chooses another port, for the error message. */
  portSetting?:
    | 'port'
    | 'port-hiero'
    | 'health-port'
    | 'status-port'
    | 'metrics-port'
    | 'rpc-port'
    | 'grpc-port'
    | 'block-node-port'
    | 'extra-ports';
  /** How long to wait for a taken port. */
  waitMs?: number;
  log: Logger;
  /** Ends the wait. */
  signal: AbortSignal;
};

/** Throws an Error with the place and what to do if the port cannot be opened. */
export function listen(app: FastifyInstance, options: ListenOptions): Promise<void> {
  const { port, host } = options;
  return takePort(options, async () => {
    await app.listen({ port, host, listenTextResolver: (address) => `answering on ${address}` });
  });
}

/** The same with another server than Fastify's own. */
export function listenWith(server: Server, options: ListenOptions): Promise<void> {
  return takePort(options, () => bind(server, options));
}

/** Throws as `listen` would, before anything else is made. */
export function assertPortFree(options: ListenOptions): Promise<void> {
  return takePort(options, async () => {
    const probe = createServer();
    await bind(probe, options);
    await new Promise((done) => probe.close(done));
  });
}

function bind(server: Server, { port, host }: ListenOptions): Promise<void> {
  return new Promise((done, refuse) => {
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      done();
    });
  });
}

async function takePort(options: ListenOptions, take: () => Promise<void>): Promise<void> {
  const { port, host, portSetting = 'port', waitMs = 15_000, log, signal } = options;
  const deadline = performance.now() + waitMs;
  for (let attempt = 0; ; attempt++) {
    try {
      await take();
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'EADDRINUSE' || performance.now() >= deadline || signal.aborted) {
        throw explainListenError(error as NodeJS.ErrnoException, `${host}:${port}`, portSetting);
      }
    }
    if (attempt === looksAgainAt && (await answersAsOneThatStays(options))) {
      throw explainListenError(Object.assign(new Error(), { code: 'EADDRINUSE' }), `${host}:${port}`, portSetting);
    }
    if (attempt === 0) log.info(`${host}:${port} is taken; waiting up to ${waitMs / 1000} s for it to become free`);
    await pause(250, signal);
  }
}

/** A second after the first attempt: by then a mirror that is ending reports it. */
const looksAgainAt = 4;

/** A mirror that is ending is not ready (503); one that does not answer may be ending, too. */
async function answersAsOneThatStays({ host, port, signal }: ListenOptions): Promise<boolean> {
  const asked = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const within = AbortSignal.any([AbortSignal.timeout(1000), signal]);
    const { status, body } = await fetch(`http://${asked}:${port}/health/readiness`, { signal: within });
    await body?.cancel();
    return status !== 503;
  } catch {
    return false;
  }
}

function explainListenError(error: NodeJS.ErrnoException, place: string, portSetting: string): Error {
  if (error.code === 'EADDRINUSE') {
    const instead = portSetting === 'extra-ports' ? 'start without' : 'choose another port with';
    return new Error(`${place} is taken by another program. Stop it, or ${instead} --${portSetting}.`);
  }
  if (error.code === 'EACCES' || error.code === 'EADDRNOTAVAIL') {
    return new Error(
      `${place} cannot be listened on (${error.code}). Choose another with --host and --${portSetting}.`,
    );
  }
  return error;
}
