// `node scripts/run.mjs test/clients/run-relay.ts --relay <folder> [--folder <folder>]`: starts a built checkout of the Hiero JSON-RPC relay in front of a mirror
// of the simulated network, and compares what it answers to calls with the mirror's own answers; then hardhat-verify verifies a contract through both. Exit code 0 only when all are right.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runMirror } from '../support/program/run-mirror.ts';
import { readClientExamples } from './client-examples.ts';
import { readContractExamples } from './example-contracts.ts';
import { listHardhatCalls } from './hardhat-verify.ts';
import { listRelayCalls } from './json-rpc-relay.ts';
import { judgeCall } from './judge-call.ts';
import type { ClientCall } from './outside-client.ts';

const { values } = parseArgs({ options: { relay: { type: 'string' }, folder: { type: 'string' } } });
if (values.relay === undefined) {
  console.error('--relay <folder> is needed: a checkout of hiero-json-rpc-relay with its dist/index.js');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'ledger-mirror-relay-'));
const flags = ['--port', '0', '--data-dir', join(scratch, 'data'), '--block-interval', '500', '--dialect', 'hiero'];
const mirror = runMirror(['start', ...flags], {});
const relayPort = await findFreePort();
let relay: ReturnType<typeof spawn> | null = null;
let failed = 0;
let notSupported = 0;
try {
  const [, mirrorUrl] = await mirror.says(/Answering on (\S+)\//);
  relay = spawn(process.execPath, ['dist/index.js'], {
    cwd: values.relay,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      npm_package_version: '0.0.0',
      CHAIN_ID: '0x12a',
      HEDERA_NETWORK: '{"127.0.0.1:50211":"0.0.3"}',
      MIRROR_NODE_URL: mirrorUrl,
      READ_ONLY: 'true',
      RPC_WS_ENABLED: 'false',
      REDIS_ENABLED: 'false',
      RATE_LIMIT_DISABLED: 'true',
      SERVER_HOST: '127.0.0.1',
      SERVER_PORT: String(relayPort),
      LOG_LEVEL: 'warn',
    },
  });
  const relayUrl = `http://127.0.0.1:${relayPort}`;
  const { account } = await readClientExamples(mirrorUrl!);
  const contracts = await readContractExamples(mirrorUrl!);
  await waitUntilItAnswers(relayUrl);
  const context = { relayUrl, mirrorUrl: mirrorUrl!, contracts, payer: account.evm_address };
  await judgeAll('JSON-RPC relay', await listRelayCalls(context));
  const folder = values.folder ?? join(scratch, 'hardhat');
  await judgeAll('hardhat-verify', await listHardhatCalls({ folder, relayUrl, mirrorUrl: mirrorUrl!, contracts }));
  notSupported = await countNotSupported(mirrorUrl!);
} finally {
  if (relay && relay.exitCode === null) {
    relay.kill('SIGTERM');
    await once(relay, 'exit');
  }
  mirror.child.kill('SIGTERM');
  await mirror.ended;
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${notSupported} calls were answered with 501`);
console.log(failed ? `${failed} calls are not as expected` : 'All calls are as expected');
process.exit(failed ? 1 : 0);

async function judgeAll(name: string, calls: ClientCall[] | { skipped: string }): Promise<void> {
  console.log('skipped' in calls ? `${name}: skipped, ${calls.skipped}` : name);
  if ('skipped' in calls) return;
  for (const call of calls) {
    const { isExpected, verdict } = await judgeCall(call);
    if (!isExpected) failed++;
    console.log(`  ${call.name}: ${verdict}`);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

async function waitUntilItAnswers(url: string): Promise<void> {
  for (const until = Date.now() + 60_000; ; await sleep(300)) {
    const answer = await fetch(`${url}/health/liveness`).catch(() => null);
    if (answer?.ok) return;
    if (Date.now() > until) throw new Error('The relay does not answer.');
  }
}

async function countNotSupported(mirrorUrl: string): Promise<number> {
  const metrics = await (await fetch(`${mirrorUrl}/metrics`)).text();
  return Number(/ledger_mirror_contract_calls_total\{end="notSupported"\} (\d+)/.exec(metrics)![1]);
}
