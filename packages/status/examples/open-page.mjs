// A status page whose values this program reports: http://127.0.0.1:5560/status. It ends with the first signal.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStatusPage } from '@ledger-mirror/status';

const folder = mkdtempSync(join(tmpdir(), 'status-'));
const page = await openStatusPage({ folder, networkName: 'my-network', port: Number(process.argv[2] ?? 5560) });
console.log(page.url);
const report = () => page.report({ 'api.down': 0, 'api.p95Ms': 12, 'database.down': 0, 'import.lagMs': 3000 });
report();
const reporting = setInterval(report, 5000);
process.once('SIGINT', end).once('SIGTERM', end);

async function end() {
  clearInterval(reporting);
  await page.close();
}
