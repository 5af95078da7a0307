// What the compact form of a database costs and saves: bytes that grow with transactions, and the CPU of server and
// PostgreSQL of requests, of one ledger in both forms, in turns. Its transactions are compacted but for the last tenth.
//
//   node scripts/run.mjs bench/compact.ts [--transactions 200000] [--rounds 5] [--requests 400] [--rows 'transactions|accounts']
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { memoryFlags } from '../packages/kit/process/memory-flags.ts';
import { withClient } from '../packages/postgres/wire/connect-client.ts';
import { compactShare } from '../packages/test-support/postgres/compact-share.ts';
import { measureStorage } from './storage/measure-storage.ts';
import { sumGrowing } from './storage/storage-tables.ts';
import { closeAtEnd } from './support/close-at-end.ts';
import { openLargeLedger, sizeOf } from './support/large-ledger.ts';
import { measureCpu } from './support/measure-request.ts';
import { median } from './support/median.ts';
import { postgresCpuSeconds } from './support/postgres-cpu.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { makeRequestKinds } from './support/request-mix.ts';
import { startChild } from './support/start-child.ts';

const { values: options } = parseArgs({
  options: {
    transactions: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '400' },
    rows: { type: 'string', default: '' },
  },
});
const transactions = Number(options.transactions);
const requests = Number(options.requests);
const wanted = new RegExp(options.rows);
const program = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const connections = 4;

await closeAtEnd(async (later) => {
  const size = sizeOf(transactions / 1_000_000);
  const ledger = await openLargeLedger(size, transactions / 1_000_000);
  later(() => ledger.stop());
  const { dataFolder } = ledger;
  const copy = await copyDatabase(ledger.connectionString);
  later(() => copy.drop());
  const cpuBefore = postgresCpuSeconds(dataFolder)!;
  const moved = await compactShare(copy.connectionString, { share: 0.9 });
  const cpu = postgresCpuSeconds(dataFolder)! - cpuBefore;
  const kinds = (await makeRequestKinds(ledger.connectionString, size)).filter(({ name }) => wanted.test(name));

  const bytes: number[] = [];
  const urls: string[] = [];
  for (const connectionString of [ledger.connectionString, copy.connectionString]) {
    bytes.push(await measureBytes(connectionString));
    const server = await startChild([
      ...[...memoryFlags('serve'), program, 'serve', '--port', '0', '--log-level', 'warn', '--status-service', 'off'],
      ...['--answer-cache', '0', '--max-wait', '0', '--data-dir', dataFolder, '--database-url', connectionString],
    ]);
    later(() => server.stop());
    urls.push(server.url);
  }
  const rows: string[][] = [];
  for (const { name, paths } of kinds) {
    const costs = urls.map((): { server: number; postgres: number }[] => []);
    for (const url of urls)
      await measureCpu(
        { url, paths, connections, seconds: 0, leastRequests: 2 * requests, maxSeconds: 600 },
        dataFolder,
      );
    for (let round = 0; round < Number(options.rounds); round++) {
      for (const [place, url] of urls.entries()) {
        const load = { url, paths, connections, seconds: 0, leastRequests: requests, maxSeconds: 600 };
        const { serverCpuMs, postgresCpuMs } = await measureCpu(load, dataFolder);
        costs[place]!.push({ server: serverCpuMs, postgres: postgresCpuMs ?? 0 });
      }
    }
    const [usual, compact] = costs as [(typeof costs)[0], (typeof costs)[0]];
    const show = (of: typeof usual): string =>
      `${formatFigure(median(of.map(({ server }) => server)))} + ${formatFigure(median(of.map(({ postgres }) => postgres)))}`;
    const sum = ({ server, postgres }: { server: number; postgres: number }): number => server + postgres;
    const ratio = median(compact.map((one, round) => sum(one) / sum(usual[round]!)));
    rows.push([name, show(usual), show(compact), ratio.toFixed(2)]);
    console.log(rows.at(-1)!.join(' | '));
  }
  const [before, after] = bytes as [number, number];
  printTable(['request', 'usual form, CPU ms', 'compact', '×'], rows);
  console.log(
    `Bytes a transaction: ${formatFigure(before / transactions)} and ${formatFigure(after / transactions)} (× ${(after / before).toFixed(2)}). ` +
      `${moved.transactions} transactions compacted, the rows of ${moved.kept} kept: ${formatFigure((cpu * 1_000_000) / moved.transactions)} ms of PostgreSQL per 1,000.`,
  );
});

/** The same ledger in another database of the same server. */
async function copyDatabase(connectionString: string): Promise<{ connectionString: string; drop(): Promise<void> }> {
  // Its host is a folder, which URL does not read.
  const [, before, name, after] = /^([a-z]+:\/\/[^/]*\/)([^?]*)(.*)$/.exec(connectionString)!;
  const run = (...statements: string[]): Promise<void> =>
    withClient(`${before}template1${after}`, 'bench', async (client) => {
      for (const statement of statements) await client.query(statement);
    });
  await run('drop database if exists compact_copy', `create database compact_copy template "${name}"`);
  return {
    connectionString: `${before}compact_copy${after}`,
    drop: () => run('drop database compact_copy with (force)'),
  };
}

function measureBytes(connectionString: string): Promise<number> {
  return withClient(connectionString, 'bench', async (client) => sumGrowing(await measureStorage(client)));
}
