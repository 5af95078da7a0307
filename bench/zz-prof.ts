import { addCalledContracts } from './support/called-contracts.ts';
import { openLargeLedger, sizeOf } from './support/large-ledger.ts';
import { measureCpu } from './support/measure-request.ts';
import { startChild } from './support/start-child.ts';
const size = sizeOf(0.25);
const ledger = await openLargeLedger(size, 0.25);
const c = await addCalledContracts(ledger.connectionString, size);
const prof = process.argv[2] === 'prof';
const server = await startChild([
  ...(prof ? ['--cpu-prof', '--cpu-prof-dir=/tmp/w23b-prof'] : []),
  'src/cli/main.ts', 'serve', '--port', '0', '--log-level', 'warn', '--status-service', 'off', '--max-wait', '0',
  '--data-dir', ledger.dataFolder, '--database-url', ledger.connectionString, '--answer-cache', process.argv[4] ?? '0',
  '--call-rate', '1000000', '--call-gas-rate', '1000000']);
const w = (n: bigint, l: number) => n.toString(16).padStart(l, '0');
const body = (to: bigint, data: string, block = 'latest') => JSON.stringify({ to: `0x${w(to, 40)}`, data: `0x${data}`, gas: 1_000_000, block });
const r = c.relations;
const kinds: Record<string, string[]> = {
  hot: [body(r[0]!.token, '06fdde03')],
  name: r.map(({ token }) => body(token, '06fdde03')),
  balance: r.map(({ token, holder }) => body(token, `70a08231${w(holder, 64)}`)),
  coin: c.holders.map((h) => body(c.coin, `70a08231${w(h, 64)}`)),
  pastbalance: r.map(({ token, holder }) => body(token, `70a08231${w(holder, 64)}`, String(c.newestBlock - 10000))),
};
kinds.get = [];
const which = (process.argv[3] ?? 'hot').split(',');
for (let round = 0; round < (prof ? 1 : 3); round++) for (const k of which) {
  const bodies = kinds[k]!;
  const load = k === 'get' ? { paths: r.map(({ token }) => `/api/v1/tokens/0.0.${token}`) } : { paths: bodies.map(() => '/api/v1/contracts/call'), bodies };
  await c.addBlock();
  if (round === 0) { await measureCpu({ url: server.url, ...load, connections: 8, seconds: 1.5 }, ledger.dataFolder); await c.addBlock(); }
  const m = await measureCpu({ url: server.url, ...load, connections: 8, seconds: prof ? 4 : 0.7 }, ledger.dataFolder);
  console.log(k, 'server', m.serverCpuMs.toFixed(3), 'pg', m.postgresCpuMs?.toFixed(3), 'per s', m.perSecond.toFixed(0));
}
await server.stop(); await c.close(); await ledger.stop();
