// A server with all doors in a process of its own, which says how much memory it holds after a collection.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithThisProcess } from '../../packages/postgres/embedded/end-with-this-process.ts';
import { serveHere } from '../support/program/serve-here.ts';

type Started = { url: string; places: readonly string[] };

export type MeasuredServer = {
  url: string;
  rpcPort: number;
  grpcPort: number;
  /** MB, after a collection. */
  residentMb(): Promise<number>;
  close(): Promise<void>;
};

export async function openMeasuredServer(connectionString: string, flags: readonly string[]): Promise<MeasuredServer> {
  const child = fork(fileURLToPath(import.meta.url), [connectionString, ...flags], {
    execArgv: ['--expose-gc', '--min-semi-space-size=8', '--max-semi-space-size=8'],
  });
  endWithThisProcess(child, 'TERM');
  const [{ url, places }] = (await once(child, 'message')) as [Started];
  const portOf = (name: string): number =>
    Number(/:(\d+)\/?$/.exec(places.find((place) => place.startsWith(`${name}: `))!)![1]);
  return {
    ...{ url, rpcPort: portOf('JSON-RPC and web sockets'), grpcPort: portOf('gRPC') },
    async residentMb() {
      child.send('measure');
      const [bytes] = (await once(child, 'message')) as [number];
      return bytes / 2 ** 20;
    },
    async close() {
      child.send('end');
      await once(child, 'exit');
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [connectionString, ...flags] = process.argv.slice(2);
  const doors = ['--rpc-port', '0', '--grpc-port', '0', '--status-service', 'off'];
  const server = await serveHere(connectionString!, [...doors, ...flags]);
  process.on('message', async (asked) => {
    if (asked === 'end') {
      await server.close();
      process.exit(0);
    }
    for (let round = 0; round < 3; round++) {
      globalThis.gc!();
      await new Promise((done) => setTimeout(done, 200));
    }
    process.send!(process.memoryUsage.rss());
  });
  process.send!({ url: server.url, places: server.places } satisfies Started);
}
