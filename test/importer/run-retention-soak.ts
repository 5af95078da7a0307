// `node scripts/run.mjs test/importer/run-retention-soak.ts --days 60 --keep 7d`: a mirror that drops its past follows
// a simulated network for so many simulated days. Prints the size of the database day by day, beside that of a mirror
// that keeps everything, and compares what both answer. Exit code 0 only when the size is flat and every answer right.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { Database } from '../../packages/postgres/wire/database.ts';
import { formatSecond } from '../../packages/protocol/hapi/timestamp.ts';
import { createNetwork } from '../../packages/simulated-network/network.ts';
import { selectStoredExtent } from '../../packages/store/read/select-mirror-extent.ts';
import { momentTables } from '../../packages/store/retention/kept-rows.ts';
import { runImport } from '../../src/runtime/import/run-import.ts';
import { loadSettings } from '../../src/runtime/settings/load-settings.ts';
import { settingsTable } from '../../src/runtime/settings/settings-table.ts';
import { openMirror } from '../support/program/open-mirror.ts';
import { compareKeptAnswers } from './compare-kept-answers.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '60' },
    keep: { type: 'string', default: '7d' },
    'blocks-a-day': { type: 'string', default: '12' },
    transactions: { type: 'string', default: '60' },
    mix: { type: 'string', default: 'bulk' },
    asked: { type: 'string', default: '25' },
  },
});
const [days, blocksADay] = [Number(values.days), Number(values['blocks-a-day'])];
const keepNs = settingsTable.keep.parse(values.keep);
const dayNs = 86_400_000_000_000n;
const begin = BigInt(Date.UTC(2025, 10, 20)) * 1_000_000n;
/**
 * What the rows of moments may grow by after the first days: pages that are half full. The state of accounts and
 * tokens, which stays, grows with the network.
 */
const flat = 1.3;

const folder = mkdtempSync(join(tmpdir(), 'retention-soak-'));
const network = await createNetwork({ folder, seed: 'retention soak', nodes: 3, keepBlocks: 1_000_000 });
const empty = async (): Promise<void> => {};
const [small, full] = [await openMirror(empty), await openMirror(empty)];
const stop = new AbortController();
const caughtUp = createGate();
const following = follow(small.connectionString, ['--keep', values.keep]);

const sizes: number[] = [];
try {
  for (let day = 0; day < days; day++) {
    let last = 0n;
    for (let block = 0; block < blocksADay; block++) {
      const consensusStart = begin + BigInt(day) * dayNs + (BigInt(block) * dayNs) / BigInt(blocksADay);
      const transactions = Number(values.transactions);
      last = (await network.writeBlock({ consensusStart, transactions, mix: values.mix as 'bulk' | 'demo' })).number;
    }
    await Promise.race([caughtUp.reached(last), following]);
    const { bytes, moments, rows } = await measure(small.db);
    sizes.push(moments);
    if (day % 5 === 4 || day === days - 1) {
      console.log(
        `day ${day + 1}: ${toMiB(bytes)}, of that rows of moments ${toMiB(moments)} (${rows} transactions) · memory ${toMiB(process.memoryUsage().rss)}`,
      );
    }
  }
} finally {
  stop.abort();
  await following;
  await network.close();
}

await follow(full.connectionString, ['--once']);
const whole = await measure(full.db);
console.log(
  `a mirror that keeps everything: ${toMiB(whole.bytes)}, rows of moments ${toMiB(whole.moments)} (${whole.rows} transactions)`,
);
const before = (await selectStoredExtent(small.db))?.keptFrom;
if (before === null || before === undefined) throw new Error('Nothing was dropped');
console.log(`kept from ${formatSecond(before)} on`);
const { differences, statuses } = await compareKeptAnswers(full, small, before, Number(values.asked));
console.log(`answers by status: ${JSON.stringify(statuses)}; different: ${differences.length}`);
for (const difference of differences.slice(0, 5)) console.log(difference);

const settled = sizes.slice(Math.ceil(Number(keepNs / dayNs) * 2));
const growth = settled.at(-1)! / settled[0]!;
console.log(
  `from day ${days - settled.length + 1} to day ${days} rows of moments grew by ${((growth - 1) * 100).toFixed(1)} %`,
);
await Promise.all([small, full].map(({ close }) => close()));
rmSync(folder, { recursive: true });
process.exitCode = differences.length === 0 && growth < flat ? 0 : 1;
process.exit();

async function follow(connectionString: string, more: string[]): Promise<void> {
  const flags = ['--source', folder, '--address-book', network.addressBookPath, ...more];
  await runImport({
    connectionString,
    settings: loadSettings('import', flags, {}),
    extent: { start: { kind: 'genesis' }, filter: undefined },
    log: pino({ level: 'warn' }),
    signal: stop.signal.aborted ? new AbortController().signal : stop.signal,
    onProgress: ({ block }) => caughtUp.reach(block.number),
  });
}

function createGate() {
  let reached = -1n;
  let wake = (): void => {};
  return {
    reach(number: bigint): void {
      reached = number;
      wake();
    },
    async reached(number: bigint): Promise<void> {
      while (reached < number) await new Promise<void>((done) => (wake = done));
    },
  };
}

async function measure(db: Database): Promise<{ bytes: number; moments: number; rows: number }> {
  const names = momentTables.map(([name]) => `'${name}'`).join(', ');
  const [row] = await db.query<{ bytes: bigint; moments: bigint; rows: bigint }>({
    name: 'measure',
    text: `select pg_database_size(current_database())::int8 as bytes, (select count(*) from transaction)::int8 as rows,
  (select sum(pg_total_relation_size(c.oid))::int8 from pg_class c left join pg_inherits i on i.inhrelid = c.oid
    left join pg_class p on p.oid = i.inhparent where c.relkind = 'r' and coalesce(p.relname, c.relname) in (${names})) as moments`,
  });
  return { bytes: Number(row!.bytes), moments: Number(row!.moments), rows: Number(row!.rows) };
}

function toMiB(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
