// Benchmark of the day tables: CPU of this process and of its PostgreSQL session to add 5,000 transactions to their
// days, counted as their rows are made, and counted from the stored rows, in turns. Each is rolled back.
//
//   node scripts/run.mjs bench/days.ts [--rounds 5] [--times 20]
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { withClient } from '../packages/postgres/wire/connect-client.ts';
import type { EncodedRows } from '../packages/store/write/block-changes.ts';
import { countTransactions } from '../packages/store/write/day-counts.ts';
import { createDayTotals } from '../packages/store/write/day-totals.ts';
import { closeAtEnd } from './support/close-at-end.ts';
import { ledgersFolder } from './support/kept-ledger.ts';
import { median } from './support/median.ts';
import { formatFigure, printTable } from './support/print-table.ts';
import { openSmallLedger } from './support/small-ledger.ts';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, times: { type: 'string', default: '20' } },
});
const [rounds, times] = [Number(options.rounds), Number(options.times)];

type Cost = { own: number; postgres: number };

await closeAtEnd(async (later) => {
  const ledger = await openSmallLedger(5_000, ledgersFolder);
  later(() => ledger.stop());
  await withClient(ledger.connectionString, 'writer', async (client) => {
    await client.query(`set enable_hashjoin = off; set enable_mergejoin = off; set enable_seqscan = off;
set plan_cache_mode = force_generic_plan`);
    const ask = async (text: string) => (await client.query(text)).rows;
    const [{ pid }] = (await ask('select pg_backend_pid() as pid')) as [{ pid: number }];
    const [span] = (await ask(
      'select min(consensus_start)::text as from, max(consensus_end)::text as to from record_file',
    )) as [{ from: string; to: string }];
    const { from, to } = { from: BigInt(span.from), to: BigInt(span.to) };
    const stored =
      await ask(`select consensus_timestamp::text, payer_account_id::text, charged_tx_fee::text, valid_start_ns::text,
  parent_consensus_timestamp::text, type, result, nonce, scheduled from transaction`);
    const rows = stored.map((row) => ({
      ...row,
      ...{ consensus_timestamp: BigInt(row.consensus_timestamp), payer_account_id: BigInt(row.payer_account_id) },
      ...{ charged_tx_fee: BigInt(row.charged_tx_fee ?? 0), valid_start_ns: BigInt(row.valid_start_ns) },
    }));
    const files = (await ask('select consensus_end::text as end, gas_used::text as gas from record_file')).map(
      ({ end, gas }) => ({ consensus_end: BigInt(end), gas_used: BigInt(gas ?? 0) }),
    );
    const encoded: EncodedRows = { name: 'transaction', count: rows.length, chunks: [], span: null };
    const totals = createDayTotals({ rowsOfPart: 20_000, priceOfGas: null, isSpread: false });
    const ticks = (): number => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ');
      return 10 * (Number(fields[11]) + Number(fields[12]));
    };
    const measure = async (isCounted: boolean): Promise<Cost> => {
      const [before, cpu] = [ticks(), process.cpuUsage()];
      for (let time = 0; time < times; time++) {
        const days = isCounted ? { days: countTransactions(rows) } : {};
        await client.query('begin');
        await totals.add(
          client,
          { parts: [{ record_file: files as never }, { encoded: [{ ...encoded, ...days }] }] },
          { from, to },
        );
        await client.query('rollback');
      }
      const { user, system } = process.cpuUsage(cpu);
      const per = (ms: number): number => (ms * 1000) / (times * rows.length);
      return { own: per((user + system) / 1000), postgres: per(ticks() - before) };
    };
    const costs: Record<string, Cost[]> = { made: [], stored: [] };
    for (let round = 0; round <= rounds; round++) {
      for (const name of ['made', 'stored']) {
        const cost = await measure(name === 'made');
        // The first compiles.
        if (round > 0) costs[name]!.push(cost);
      }
    }
    console.log(`CPU ms per 1,000 transactions, medians of ${rounds} rounds in turns`);
    printTable(
      ['counted', 'this process', 'PostgreSQL'],
      Object.entries(costs).map(([name, all]) => [
        name === 'made' ? 'as their rows are made' : 'from the stored rows',
        formatFigure(median(all.map(({ own }) => own))),
        formatFigure(median(all.map(({ postgres }) => postgres))),
      ]),
    );
  });
});
