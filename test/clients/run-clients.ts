// `node scripts/run.mjs test/clients/run-clients.ts [--folder <folder>] [--mirror <url> --rpc <url>] [package …]`:
// installs clients that others wrote, lets each make its mirror calls to a mirror of the simulated network (one that runs,
// or one of its own), and tells each call. Exit code 0 only when all that could be installed are right, but for the calls
// that the mirror is known not to serve.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installClient } from '../support/program/install-client.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { cast } from './cast.ts';
import { readClientExamples } from './client-examples.ts';
import { ethers } from './ethers.ts';
import { foundry } from './foundry.ts';
import { hardhat } from './hardhat.ts';
import { hardhat2 } from './hardhat-2.ts';
import { hardhat2Etherscan } from './hardhat-2-etherscan.ts';
import { hardhatEtherscan } from './hardhat-etherscan.ts';
import { hederaAgentKit } from './hedera-agent-kit.ts';
import { hashgraphSdk, hieroSdk } from './hiero-sdk.ts';
import { judgeCall } from './judge-call.ts';
import { ledgerCoinHedera } from './ledger-coin-hedera.ts';
import type { OutsideClient, VerifyingClient } from './outside-client.ts';
import { ponder } from './ponder.ts';
import { standardsSdk } from './standards-sdk.ts';
import { viem } from './viem.ts';
import { wagmi } from './wagmi.ts';
import { web3 } from './web3.ts';

const clients: readonly (OutsideClient | VerifyingClient)[] = [
  ...[hieroSdk, hashgraphSdk, ledgerCoinHedera, hederaAgentKit, standardsSdk, viem, ethers, web3, wagmi, hardhat],
  ...[hardhat2, hardhatEtherscan, hardhat2Etherscan, foundry, cast, ponder],
];

const { values, positionals } = parseArgs({
  options: {
    folder: { type: 'string' },
    port: { type: 'string', default: '0' },
    mirror: { type: 'string' },
    rpc: { type: 'string' },
  },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !clients.some(({ packageName }) => packageName === name));
if (unknown.length) {
  console.error(
    `No driver for ${unknown.join(', ')}; there are ${clients.map((each) => each.packageName).join(', ')}.`,
  );
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'ledger-mirror-clients-'));
const folder = values.folder ?? join(scratch, 'packages');
let failed = 0;

/** The mirror that was named, or one of the simulated network for `use` alone. */
async function withMirror(use: (urls: { mirrorUrl: string; rpcUrl: string }) => Promise<void>): Promise<void> {
  if (values.mirror !== undefined) {
    await use({ mirrorUrl: values.mirror, rpcUrl: values.rpc ?? `${values.mirror}/rpc` });
    return;
  }
  const data = mkdtempSync(join(scratch, 'data-'));
  const flags = ['--port', values.port, '--data-dir', data, '--block-interval', '500', '--dialect', 'hiero'];
  const mirror = runMirror(['start', ...flags, '--rpc-port', '0'], {});
  try {
    const [, mirrorUrl] = await mirror.says(/Answering on (\S+)\//);
    const [, rpcUrl] = await mirror.says(/JSON-RPC and web sockets: (\S+)\//);
    await use({ mirrorUrl: mirrorUrl!, rpcUrl: rpcUrl! });
  } finally {
    mirror.child.kill('SIGTERM');
    await mirror.ended;
  }
}

async function tryClient(
  client: OutsideClient | VerifyingClient,
  urls: { mirrorUrl: string; rpcUrl: string },
): Promise<void> {
  const place = join(folder, `${client.packageName.replace('/', '-')}-${client.version}`);
  const installed = await installClient(client, place);
  if ('skipped' in installed) {
    console.log(`${client.packageName} ${client.version}: skipped, ${installed.skipped}`);
    return;
  }
  console.log(`${client.packageName} ${client.version}, pointed here by ${client.pointedBy}`);
  const mirror = { ...urls, load: installed.load, folder: place };
  const calls =
    'verifies' in client
      ? await client.listCalls(mirror)
      : // Of now: the installation takes minutes, in which NFTs change hands.
        await client.listCalls({ ...mirror, examples: await readClientExamples(urls.mirrorUrl) });
  for (const call of calls) {
    const { isExpected, verdict } = await judgeCall(call);
    if (!isExpected) failed++;
    console.log(`  ${call.name}: ${verdict}`);
  }
}

const wanted = clients.filter(({ packageName }) => positionals.length === 0 || positionals.includes(packageName));
const reading = wanted.filter((client) => !('verifies' in client));
try {
  if (reading.length) {
    await withMirror(async (urls) => {
      for (const client of reading) await tryClient(client, urls);
    });
  }
  for (const client of wanted.filter((client) => 'verifies' in client)) {
    await withMirror((urls) => tryClient(client, urls));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(failed ? `${failed} calls are not as expected` : 'All calls are as expected');
process.exit(failed ? 1 : 0);
