// `serve` with all doors on ports of its own, killed and started again on the same ones.
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/program/free-port.ts';
import { type RunningMirror, runMirror } from '../support/program/run-mirror.ts';

export type KilledServer = {
  url: string;
  rpcPort: number;
  grpcPort: number;
  pid(): number;
  /** SIGKILL, and a new start. */
  kill(): Promise<void>;
  close(): Promise<void>;
};

export async function openKilledServer(
  connectionString: string,
  flags: readonly string[] = [],
  nodeOptions = '',
): Promise<KilledServer> {
  const [port, rpcPort, grpcPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const start = async (): Promise<RunningMirror> => {
    const ports = ['--port', port, '--rpc-port', rpcPort, '--grpc-port', grpcPort].map(String);
    const mirror = runMirror(['serve', ...ports, '--status-service', 'off', '--log-level', 'warn', ...flags], {
      env: { DATABASE_URL: connectionString, NODE_OPTIONS: nodeOptions },
    });
    while (!(await answers(`${url}/api/v1/blocks?limit=1`))) {
      if (mirror.child.exitCode !== null) throw new Error(`It ended:\n${mirror.output()}`);
      await sleep(20);
    }
    return mirror;
  };
  let running = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    running.child.kill(signal);
    await running.ended;
  };
  return {
    ...{ url, rpcPort: rpcPort!, grpcPort: grpcPort! },
    pid: () => running.child.pid!,
    async kill() {
      await end('SIGKILL');
      running = await start();
    },
    close: () => end('SIGTERM'),
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url);
    await answer.text();
    return answer.ok;
  } catch {
    // It is still starting.
    return false;
  }
}
