// `node scripts/run.mjs test/clients/run-clients.ts [--folder <folder>] [package …]`: installs clients that others
// wrote, lets each make its mirror calls to a mirror of the simulated network, and tells each call. Exit code 0 only
// when all that could be installed are right, but for the calls that the mirror is known not to serve.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installClient } from '../support/program/install-client.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { readClientExamples } from './client-examples.ts';
import { ethers } from './ethers.ts';
import { foundry } from './foundry.ts';
import { hardhat } from './hardhat.ts';
import { hardhat2Etherscan } from './hardhat-2-etherscan.ts';
import { hardhatEtherscan } from './hardhat-etherscan.ts';
import { hederaAgentKit } from './hedera-agent-kit.ts';
import { hashgraphSdk, hieroSdk } from './hiero-sdk.ts';
import { judgeCall } from './judge-call.ts';
import { ledgerCoinHedera } from './ledger-coin-hedera.ts';
import { standardsSdk } from './standards-sdk.ts';
import { viem } from './viem.ts';

const clients = [
  ...[hieroSdk, hashgraphSdk, ledgerCoinHedera, hederaAgentKit, standardsSdk, viem, ethers, hardhat],
  ...[hardhatEtherscan, hardhat2Etherscan, foundry],
];

const { values, positionals } = parseArgs({
  options: { folder: { type: 'string' }, port: { type: 'string', default: '0' } },
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
const mirror = runMirror(
  [
    'start',
    '--port',
    values.port,
    '--data-dir',
    join(scratch, 'data'),
    '--block-interval',
    '500',
    '--dialect',
    'hiero',
    '--rpc-port',
    '0',
  ],
  {},
);
let failed = 0;
try {
  const [, mirrorUrl] = await mirror.says(/Answering on (\S+)\//);
  const [, rpcUrl] = await mirror.says(/JSON-RPC and web sockets: (\S+)\//);
  for (const client of clients) {
    if (positionals.length && !positionals.includes(client.packageName)) continue;
    const place = join(folder, `${client.packageName.replace('/', '-')}-${client.version}`);
    const installed = await installClient(client, place);
    if ('skipped' in installed) {
      console.log(`${client.packageName} ${client.version}: skipped, ${installed.skipped}`);
      continue;
    }
    console.log(`${client.packageName} ${client.version}, pointed here by ${client.pointedBy}`);
    // Of now: the installation takes minutes, in which NFTs change hands.
    const examples = await readClientExamples(mirrorUrl!);
    for (const call of await client.listCalls({
      ...{ mirrorUrl: mirrorUrl!, rpcUrl: rpcUrl!, examples },
      load: installed.load,
      folder: place,
    })) {
      const { isExpected, verdict } = await judgeCall(call);
      if (!isExpected) failed++;
      console.log(`  ${call.name}: ${verdict}`);
    }
  }
} finally {
  mirror.child.kill('SIGTERM');
  await mirror.ended;
  rmSync(scratch, { recursive: true, force: true });
}
console.log(failed ? `${failed} calls are not as expected` : 'All calls are as expected');
process.exit(failed ? 1 : 0);
