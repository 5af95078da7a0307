import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below what systems give to connections and to listeners that name no port: those of tests beside this one would take
 * it before the program does that it is for.
 */
const first = 12_000;
const last = 32_000;
const tries = 100;

/** Nobody listens there now. */
export async function freePort(): Promise<number> {
  for (let left = tries; left > 0; left--) {
    const port = randomInt(first, last);
    if (await isFree(port)) return port;
  }
  throw new Error(`Of ${tries} ports from ${first} to ${last} none is free`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  server.once('error', () => resolve(false));
  server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}
