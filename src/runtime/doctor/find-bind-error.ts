// Why a port cannot be listened on, and what to do about it.
import { createServer } from 'node:net';
import { FailedCheck } from './failed-check.ts';

/** Why a port cannot be listened on; null = it can. */
export function findBindError(host: string, port: number): Promise<string | null> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    probe.listen(port, host, () => probe.close(() => done(null)));
  });
}

type RefusedPort = { host: string; port: number; code: string; instead: string };

export function refusedPort({ host, port, code, instead }: RefusedPort): FailedCheck {
  const place = `${host}:${port}`;
  switch (code) {
    case 'EADDRINUSE':
      return new FailedCheck(
        `${place} is taken by another program (${code})`,
        `Stop what listens there, or ${instead}.`,
      );
    case 'EACCES':
      return new FailedCheck(
        `this user may not listen on ${place} (${code})`,
        `Run it with that right, or ${instead}.`,
      );
    default:
      return new FailedCheck(
        `${place} cannot be listened on (${code})`,
        `See that ${host} (--host) is an address of this machine, or ${instead}.`,
      );
  }
}
