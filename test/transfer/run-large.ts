// node scripts/run.mjs test/transfer/run-large.ts --transactions 1000000 --further 200 --requests 5000
// A ledger of months, exported whole and as state, bootstrapped in every mode by the commands into the embedded
// PostgreSQL and the oldest supported one, and followed on: tables and answers are those of the mirror that saw
// everything.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../packages/postgres/embedded/embedded-postgres.ts';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { migrate } from '../../packages/schema/migration/migrate.ts';
import { createRowDropper } from '../../packages/store/retention/row-dropper.ts';
import {
  isDebianPostgresInstalled,
  startDebianPostgres,
} from '../../packages/test-support/postgres/debian-postgres.ts';
import { summarizeDatabase } from '../../packages/test-support/postgres/dump-database.ts';
import { writeSimulatedStream } from '../../packages/test-support/streams/simulated-stream.ts';
import type { FuzzRequest } from '../fuzz/fuzz-request.ts';
import { type LedgerWords, readLedgerWords } from '../fuzz/ledger-words.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { compareAnswers, isOfPastStorage } from '../support/transfer/compare-answers.ts';

const { values } = parseArgs({
  options: {
    transactions: { type: 'string', default: '1000000' },
    /** In each block of the export. */
    each: { type: 'string', default: '400' },
    /** Blocks after it, smaller ones: they are imported into every copy. */
    further: { type: 'string', default: '200' },
    'further-each': { type: 'string', default: '50' },
    requests: { type: 'string', default: '5000' },
  },
});
const each = Number(values.each);
const further = Number(values.further);
const blocks = Math.ceil(Number(values.transactions) / each) + further;
const lastExported = BigInt(blocks - further - 1);
const startedMs = performance.now();
const say = (line: string): void =>
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0).padStart(5)} s  ${line}`);

const folder = mkdtempSync(join(tmpdir(), 'large-transfer-'));
// As root PostgreSQL runs as another user, who must come through.
chmodSync(folder, 0o711);
const embedded = await startEmbeddedPostgres({ dataFolder: join(folder, 'data') });
const debian = isDebianPostgresInstalled ? await startDebianPostgres() : null;
let differences = 0;
let written = 0;

type Server = { name: string; urlOf(database: string): string; run(statement: string): Promise<void> };

const servers: Server[] = [
  {
    name: 'embedded',
    urlOf: (database) => embedded.connectionString.replace(/\/[^/?]*(\?|$)/, `/${database}$1`),
    run: (statement) =>
      withClient(embedded.connectionString, 'test', async (client) => void (await client.query(statement))),
  },
  ...(debian
    ? [
        {
          name: 'PostgreSQL 15',
          urlOf: (database: string) => debian.connectionString('admin', database),
          run: debian.run,
        },
      ]
    : []),
];

async function makeDatabase(server: Server, name: string): Promise<string> {
  await server.run(`create database "${name}"`);
  return server.urlOf(name);
}

async function command(args: string[], databaseUrl: string): Promise<void> {
  const begunMs = performance.now();
  const { ended, output } = runMirror(args, { env: { DATABASE_URL: databaseUrl } });
  const code = await ended;
  say(`${args[0]} ${args[1]}: ${((performance.now() - begunMs) / 1000).toFixed(1)} s`);
  if (code === 0) return;
  differences += 1;
  say(`${args.join(' ')} ended with ${code}:\n${output()}`);
}

function countDifferences(what: string, expected: Record<string, string>, found: Record<string, string>): void {
  // The network's name is a setting of the second mirror.
  const different = Object.keys(expected).filter(
    (table) => table !== 'mirrored_network' && expected[table] !== found[table],
  );
  differences += different.length;
  say(`${what}: ${Object.keys(expected).length} tables, ${different.length} different`);
  for (const table of different) say(`  ${table}: ${found[table]}, expected ${expected[table]}`);
}

const isAboutPast = ({ query }: FuzzRequest): boolean => query.some((part) => /timestamp/i.test(part));

const textOf = (url: string, statement: string): Promise<string> =>
  withClient(url, 'test', async (client) => {
    const { rows } = await client.query<{ text: string }>(`select (${statement})::text as text`);
    return rows[0]!.text;
  });

try {
  const stream = await writeSimulatedStream({
    seed: 'large',
    blocks,
    transactionsPerBlock: (block) => (block < blocks - further ? each : Number(values['further-each'])),
    onBlock: () => {
      written += 1;
      if (written % 250 === 0) say(`${written} of ${blocks} blocks are written`);
    },
    blockTime: 1_800_000_000_000n,
  });
  say(`${blocks} blocks are written`);
  const source = await makeDatabase(servers[0]!, 'source');
  await migrate({ connectionString: source });
  await stream.importInto(source, { until: { kind: 'block', number: lastExported } });
  const counts = await textOf(
    source,
    `select count(*) || ' transactions of ' || count(distinct type) || ' types, ' || count(distinct result) || ' results' from transaction`,
  );
  say(`imported up to block ${lastExported}: ${counts}`);
  const [whole, state] = [join(folder, 'whole'), join(folder, 'state')];
  await command(['export', '--to', whole], source);
  await command(['export', '--state', '--to', state], source);
  const exported = await summarizeDatabase(source);
  await stream.importInto(source);
  const followed = await summarizeDatabase(source);
  say(`the mirror that saw everything has ${further} more blocks`);
  const all = openDatabase({ connectionString: source });
  const words = await readLedgerWords(all);
  await all.close();
  const middle = await textOf(
    source,
    `select to_char(to_timestamp((min(consensus_end) + max(consensus_end)) / 2 / 1000000000), 'YYYY-MM-DD') from record_file`,
  );

  async function bootstrap(server: Server, name: string, args: string[]): Promise<string> {
    const url = await makeDatabase(server, name);
    await command(['bootstrap', ...args, '--network', 'other'], url);
    return url;
  }

  for (const server of servers) {
    for (const mode of ['full', 'minimal']) {
      const url = await bootstrap(server, mode, [`--${mode}`, '--from', whole]);
      countDifferences(`${server.name}, --${mode}`, exported, await summarizeDatabase(url));
      await stream.importInto(url);
      countDifferences(`${server.name}, --${mode}, ${further} more blocks`, followed, await summarizeDatabase(url));
      await server.run(`drop database "${mode}" with (force)`);
    }
  }
  const parts: { what: string; url: string }[] = [];
  for (const server of servers) {
    for (const [name, args] of [
      ['since', ['--since', middle, '--from', whole]],
      ['state', ['--state', '--from', whole]],
      ['state_of_state', ['--state', '--from', state]],
    ] as const) {
      const url = await bootstrap(server, name, [...args]);
      await stream.importInto(url);
      // Blocks from which it goes on, of which it has nothing but their rows.
      await withClient(url, 'test', (client) =>
        client.query('delete from record_file where consensus_end < (select kept_from from mirror_extent)'),
      );
      parts.push({
        what: `${server.name}, --${args[0].slice(2)}${name === 'state_of_state' ? ' of --state' : ''}`,
        url,
      });
    }
  }
  // The earlier a mirror begins, the sooner it is compared: the other one drops its past step by step.
  const begins = await Promise.all(parts.map(({ url }) => textOf(url, 'select kept_from from mirror_extent')));
  const inOrder = parts.map((part, index) => ({ ...part, from: BigInt(begins[index]!) }));
  for (const { what, url, from } of inOrder.sort((one, other) => (one.from < other.from ? -1 : 1))) {
    const dropper = await createRowDropper(source);
    await dropper.dropBefore(from);
    await dropper.close();
    await askBoth(what, url, words);
  }
  stream.close();

  async function askBoth(what: string, url: string, known: LedgerWords): Promise<void> {
    // Every content of files, and balances at its first moment, which a mirror that dropped its past does not have.
    const knowsMore = what.includes('--since');
    const databases = [openDatabase({ connectionString: source }), openDatabase({ connectionString: url })] as const;
    for (const dialect of ['spec', 'hiero'] as const) {
      const requests = Math.ceil(Number(values.requests) / 2);
      const { different, statuses } = await compareAnswers(databases, {
        dialect,
        seed: what,
        requests,
        words: known,
        mayDiffer: (request) => isOfPastStorage(request) || (knowsMore && isAboutPast(request)),
      });
      differences += different.length;
      say(`${what}, ${dialect}: ${requests} requests ${JSON.stringify(statuses)}, ${different.length} different`);
      for (const one of different.slice(0, 5)) say(one);
    }
    for (const database of databases) await database.close();
  }
} finally {
  await debian?.close();
  await embedded.stop();
  rmSync(folder, { recursive: true, force: true });
}
say(`${differences} differences`);
process.exitCode = differences === 0 ? 0 : 1;
