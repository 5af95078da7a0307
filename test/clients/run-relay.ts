// `node scripts/run.mjs test/clients/run-relay.ts --relay <folder> [--folder <folder>] [--seed <text>] [--only
// calls|comparison] [--mirror <url>]`: a built checkout of the Hiero JSON-RPC relay in front of a mirror. First over a
// simulated network that goes on (of a mirror that runs, or of one of its own): what it answers to calls is compared with
// the mirror's own answers, and hardhat-verify verifies a contract through both. Then over a ledger that does not go on:
// whatever clients may ask is asked of both, and a table says where they differ, and why. Exit code 0 only when all are
// right and every difference has its reason.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runMirror } from '../support/program/run-mirror.ts';
import { readClientExamples } from './client-examples.ts';
import { readContractExamples } from './example-contracts.ts';
import { listHardhatCalls } from './hardhat-verify.ts';
import { listRelayCalls } from './json-rpc-relay.ts';
import { judgeCall } from './judge-call.ts';
import type { ClientCall } from './outside-client.ts';
import { compareWithRelay } from './relay/compare-with-relay.ts';
import { startRelay } from './relay/start-relay.ts';
import { tellComparison } from './relay/tell-comparison.ts';

const { values } = parseArgs({
  options: {
    relay: { type: 'string' },
    folder: { type: 'string' },
    seed: { type: 'string', default: 'relay' },
    only: { type: 'string' },
    mirror: { type: 'string' },
    shown: { type: 'string', default: '160' },
  },
});
if (values.relay === undefined) {
  console.error('--relay <folder> is needed: a checkout of hiero-json-rpc-relay with its dist/index.js');
  process.exit(2);
}
let failed = 0;
if (values.only !== 'comparison') await judgeCalls(values.relay);
if (values.only !== 'calls') {
  const compared = await compareWithRelay(values.relay, values.seed);
  failed += tellComparison(compared, Number(values.shown));
}
console.log(failed ? `${failed} are not as expected` : 'All are as expected');
process.exit(failed ? 1 : 0);

async function judgeCalls(relayFolder: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'ledger-mirror-relay-'));
  const flags = ['--port', '0', '--data-dir', join(scratch, 'data'), '--block-interval', '500', '--dialect', 'hiero'];
  const mirror = values.mirror === undefined ? runMirror(['start', ...flags], {}) : null;
  let relay: Awaited<ReturnType<typeof startRelay>> | null = null;
  try {
    const mirrorUrl = values.mirror ?? (await mirror!.says(/Answering on (\S+)\//))[1]!;
    relay = await startRelay(relayFolder, mirrorUrl, '0x12a');
    const { account } = await readClientExamples(mirrorUrl);
    const contracts = await readContractExamples(mirrorUrl);
    const context = { relayUrl: relay.url, mirrorUrl: mirrorUrl, contracts, payer: account.evm_address };
    await judgeAll('JSON-RPC relay', await listRelayCalls(context));
    const folder = values.folder ?? join(scratch, 'hardhat');
    await judgeAll(
      'hardhat-verify',
      await listHardhatCalls({ folder, relayUrl: relay.url, mirrorUrl: mirrorUrl, contracts }),
    );
    console.log(`${await countNotSupported(mirrorUrl)} calls were answered with 501`);
  } finally {
    await relay?.close();
    mirror?.child.kill('SIGTERM');
    await mirror?.ended;
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function judgeAll(name: string, calls: ClientCall[] | { skipped: string }): Promise<void> {
  console.log('skipped' in calls ? `${name}: skipped, ${calls.skipped}` : name);
  if ('skipped' in calls) return;
  for (const call of calls) {
    const { isExpected, verdict } = await judgeCall(call);
    if (!isExpected) failed++;
    console.log(`  ${call.name}: ${verdict}`);
  }
}

async function countNotSupported(mirrorUrl: string): Promise<number> {
  const metrics = await (await fetch(`${mirrorUrl}/metrics`)).text();
  return Number(/ledger_mirror_contract_calls_total\{end="notSupported"\} (\d+)/.exec(metrics)![1]);
}
