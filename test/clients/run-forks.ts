// `node scripts/run.mjs test/clients/run-forks.ts --hedera-forking <folder> [--folder <folder>] [--mirror <url>]`: installs
// Foundry in the folder, and runs tests of forge in a fork of a mirror of the simulated network (one that runs, or one of
// its own), of its contracts and, by the token service of hedera-forking, of its tokens. Exit code 0 only when all pass.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installClient } from '../support/program/install-client.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { forgeForks, listForks } from './forge-forks.ts';
import { judgeCall } from './judge-call.ts';

const { values } = parseArgs({
  options: {
    'hedera-forking': { type: 'string' },
    folder: { type: 'string' },
    port: { type: 'string', default: '0' },
    mirror: { type: 'string' },
  },
});
const emulation = values['hedera-forking'];
if (emulation === undefined) {
  console.error('--hedera-forking <folder> is needed: a clone of hashgraph/hedera-forking');
  process.exit(2);
}
const scratch = mkdtempSync(join(tmpdir(), 'ledger-mirror-forks-'));
const folder = values.folder ?? join(scratch, 'forge');
const flags = ['--port', values.port, '--data-dir', join(scratch, 'data'), '--block-interval', '500'];
const started = values.mirror === undefined ? runMirror(['start', ...flags, '--dialect', 'hiero'], {}) : null;
let failed = 0;
try {
  const mirrorUrl = values.mirror ?? (await started!.says(/Answering on (\S+)\//))[1]!;
  const installed = await installClient(forgeForks, folder);
  if ('skipped' in installed) {
    console.log(`${forgeForks.packageName} ${forgeForks.version}: skipped, ${installed.skipped}`);
  } else {
    for (const call of await listForks({ folder, mirrorUrl, emulation })) {
      const { isExpected, verdict } = await judgeCall(call);
      if (!isExpected) failed++;
      console.log(`  ${call.name}: ${verdict}`);
    }
  }
} finally {
  started?.child.kill('SIGTERM');
  await started?.ended;
  rmSync(scratch, { recursive: true, force: true });
}
console.log(failed ? `${failed} tests are not as expected` : 'All tests are as expected');
process.exit(failed ? 1 : 0);
