// A built checkout of the Hiero JSON-RPC relay as a child process, which reads a mirror.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/program/free-port.ts';
import { patienceMs } from '../patience.ts';

export type RunningRelay = { url: string; close(): Promise<void> };

/** `chainId`: hex, as the relay's setting has it. */
export async function startRelay(folder: string, mirrorUrl: string, chainId: string): Promise<RunningRelay> {
  const port = await freePort();
  const relay = spawn(process.execPath, ['dist/index.js'], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      npm_package_version: '0.0.0',
      CHAIN_ID: chainId,
      HEDERA_NETWORK: '{"127.0.0.1:50211":"0.0.3"}',
      MIRROR_NODE_URL: mirrorUrl,
      READ_ONLY: 'true',
      DEBUG_API_ENABLED: 'true',
      // Records that will never be part of a block are waited for.
      MIRROR_NODE_RETRY_DELAY: '20',
      RPC_WS_ENABLED: 'false',
      REDIS_ENABLED: 'false',
      RATE_LIMIT_DISABLED: 'true',
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: String(port),
      LOG_LEVEL: 'warn',
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilItAnswers(url, relay);
  return {
    url,
    async close() {
      if (relay.exitCode !== null) return;
      // Asked to end it waits for its clients, who keep their connections.
      relay.kill('SIGKILL');
      await once(relay, 'exit');
    },
  };
}

async function waitUntilItAnswers(url: string, relay: ChildProcess): Promise<void> {
  for (const until = Date.now() + patienceMs; ; await sleep(300)) {
    const answer = await fetch(`${url}/health/liveness`).catch(() => null);
    if (answer?.ok) return;
    if (relay.exitCode !== null) throw new Error(`The relay ended with ${relay.exitCode}.`);
    if (Date.now() > until) throw new Error('The relay does not answer.');
  }
}
