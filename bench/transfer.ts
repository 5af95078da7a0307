// A bootstrap against `zcat | psql \copy` of the same files into the same PostgreSQL, in turn: rows and bytes a second,
// and the peak of memory. The ledger is a simulated one whose moments are repeated.
//   node scripts/run.mjs bench/transfer.ts --copies 200 --rounds 2
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../packages/postgres/embedded/embedded-postgres.ts';
import { withClient } from '../packages/postgres/wire/connect-client.ts';
import { migrate } from '../packages/schema/migration/migrate.ts';
import { transferTables } from '../packages/store/transfer/transfer-tables.ts';
import { createPartitions } from '../packages/store/write/partitions.ts';
import { writeSimulatedStream } from '../packages/test-support/streams/simulated-stream.ts';
import { exportLedger } from '../src/transfer/export-ledger.ts';
import { parseExportName } from '../src/transfer/export-names.ts';
import { parseManifest } from '../src/transfer/manifest.ts';

const { values } = parseArgs({
  options: {
    blocks: { type: 'string', default: '100' },
    transactions: { type: 'string', default: '200' },
    /** How often the moments are repeated. */
    copies: { type: 'string', default: '50' },
    rounds: { type: 'string', default: '2' },
    /** Folder that the export is kept in; one that is there is measured again. */
    keep: { type: 'string' },
    psql: { type: 'string', default: '/usr/lib/postgresql/15/bin/psql' },
  },
});
const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const say = (line: string): void => console.log(line);
const root = mkdtempSync(join(tmpdir(), 'bench-transfer-'));
// As root PostgreSQL runs as another user, who must come through.
chmodSync(root, 0o711);
const server = await startEmbeddedPostgres({ dataFolder: join(root, 'data') });
const urlOf = (name: string): string => server.connectionString.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);

/** An empty one; none but it and the source has work left for the server. */
async function makeDatabase(name: string): Promise<string> {
  await withClient(server.connectionString, 'bench', async (client) => {
    for (const one of ['by_psql', 'by_bootstrap']) await client.query(`drop database if exists ${one} with (force)`);
    await client.query('checkpoint');
    await client.query(`create database ${name}`);
  });
  await migrate({ connectionString: urlOf(name) });
  return urlOf(name);
}

/** Rows of moments again and again, each time later. */
async function repeatMoments(connectionString: string, copies: number): Promise<void> {
  await withClient(connectionString, 'bench', async (client) => {
    const { rows } = await client.query(
      'select min(consensus_start)::text as first, max(consensus_end)::text as last from record_file',
    );
    const [first, last] = [BigInt(rows[0].first), BigInt(rows[0].last)];
    const span = last - first + 20_000_000_000n;
    await createPartitions().ensure(client, first, last + span * BigInt(copies));
    for (const { name, columns, monthBy, isLedger } of transferTables.values()) {
      if (!isLedger || monthBy !== 'consensus_timestamp' || name.endsWith('_balance')) continue;
      const names = Object.keys(columns);
      const list = names.map((column) => `"${column}"`).join(', ');
      const shifted = names
        .map((column) => (column === monthBy ? `"${column}" + i * ${span}` : `"${column}"`))
        .join(', ');
      await client.query(
        `insert into "${name}" (${list}) select ${shifted} from "${name}", generate_series(1, ${copies}) i`,
      );
    }
    const blocks = transferTables.get('record_file')!;
    const names = Object.keys(blocks.columns);
    const shifted = names.map((column) => {
      if (column === 'consensus_start' || column === 'consensus_end') return `"${column}" + i * ${span}`;
      return column === 'index' ? '"index" + i * 1000000' : `"${column}"`;
    });
    await client.query(
      `insert into record_file (${names.map((one) => `"${one}"`).join(', ')}) select ${shifted.join(', ')} from record_file, generate_series(1, ${copies}) i`,
    );
  });
}

/** `cpuSeconds`: of PostgreSQL, and of the programs that fill it. */
type Run = { seconds: number; cpuSeconds: number; peakMb: number | null };

/** Of this program's children, of PostgreSQL, and of its children that run; user and system time, s. */
function cpuSeconds(): number {
  const postmaster = server.pid();
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
    .filter((fields) => fields[1] === postmaster);
  const alive = running.reduce((sum, fields) => sum + fields[11]! + fields[12]!, 0);
  const [self, ofServer] = [readStat('self'), readStat(String(postmaster))];
  return (self[13]! + self[14]! + ofServer[11]! + ofServer[12]! + ofServer[13]! + ofServer[14]! + alive) / 100;
}

/** Fields after the name; empty if the process has ended. */
function readStat(pid: string): number[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  } catch {
    return [];
  }
}

/** Every file after the other, as a shell does it. */
async function loadByPsql(place: string, files: readonly string[], dropsIndexes: boolean): Promise<Run> {
  const url = await makeDatabase('by_psql');
  await prepare(url, dropsIndexes);
  const startedMs = performance.now();
  const startedCpu = cpuSeconds();
  for (const file of files) {
    const { table } = parseExportName(file)!;
    const columns = execFileSync('/bin/sh', ['-c', 'zcat "$1" | head -1', 'sh', join(place, file)])
      .toString()
      .trim();
    const quoted = columns
      .split(',')
      .map((one) => `"${one}"`)
      .join(',');
    const command = `\\copy "${table}" (${quoted}) from stdin with (format csv, header)`;
    execFileSync('/bin/sh', [
      '-c',
      'zcat "$1" | "$2" -q -d "$3" -c "$4"',
      'sh',
      join(place, file),
      values.psql,
      url,
      command,
    ]);
  }
  return { seconds: (performance.now() - startedMs) / 1000, cpuSeconds: cpuSeconds() - startedCpu, peakMb: null };
}

async function prepare(url: string, dropsIndexes: boolean): Promise<void> {
  await withClient(url, 'bench', async (client) => {
    await client.query('delete from mirrored_network; delete from mirror_extent; delete from import_revision');
    const years = [2026, 2027, 2028, 2029].map((year) => BigInt(Date.UTC(year, 1, 1)) * 1_000_000n);
    await createPartitions().ensure(client, years[0]!, years.at(-1)!);
    if (!dropsIndexes) return;
    const { rows } = await client.query(
      `select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as statement from pg_constraint
where contype = 'p' and conparentid = 0 and connamespace = 'public'::regnamespace
union all select format('drop index %s', i.indexrelid::regclass) from pg_index i join pg_class c on c.oid = i.indexrelid
where not indisunique and not c.relispartition and c.relnamespace = 'public'::regnamespace`,
    );
    for (const { statement } of rows) await client.query(statement);
  });
}

async function loadByBootstrap(place: string): Promise<Run & { output: string }> {
  const url = await makeDatabase('by_bootstrap');
  const startedMs = performance.now();
  const startedCpu = cpuSeconds();
  const args = [
    '--max-old-space-size=256',
    main,
    'bootstrap',
    '--from',
    place,
    '--full',
    '--network',
    'other',
    '--accept',
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, DATABASE_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  let peakKb = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakKb = Math.max(peakKb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0));
    } catch {
      // It has ended.
    }
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(watch);
  if (code !== 0) throw new Error(`bootstrap ended with ${code}:\n${output}`);
  const seconds = (performance.now() - startedMs) / 1000;
  return { seconds, cpuSeconds: cpuSeconds() - startedCpu, peakMb: peakKb / 1000, output };
}

async function writeExport(place: string): Promise<void> {
  const stream = await writeSimulatedStream({
    seed: 'bench transfer',
    blocks: Number(values.blocks),
    transactionsPerBlock: Number(values.transactions),
  });
  const source = await makeDatabase('source');
  await stream.importInto(source);
  stream.close();
  await repeatMoments(source, Number(values.copies));
  const startedMs = performance.now();
  const { signal } = new AbortController();
  const to = { kind: 'folder', path: place } as const;
  const common = { version: 'bench', isState: false, isPlain: false, signal };
  const { rows } = (await exportLedger({ ...common, connectionString: source, to }))!;
  const seconds = (performance.now() - startedMs) / 1000;
  say(`exported in ${seconds.toFixed(1)} s (${Math.round(rows / seconds)} rows/s)`);
}

try {
  const place = values.keep ?? join(root, 'export');
  if (!existsSync(join(place, 'manifest.csv'))) await writeExport(place);
  const manifest = parseManifest(readFileSync(join(place, 'manifest.csv'), 'utf8'));
  const written = { rows: manifest.reduce((sum, { rows }) => sum + rows!, 0) };
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.csv.gz'));
  const packed = files.reduce((sum, name) => sum + statSync(join(place, name)).size, 0);
  const verified = files.filter((name) => !/^verif/.test(name));
  say(
    `${written.rows} rows in ${files.length} files, ${(packed / 1e6).toFixed(1)} MB compressed; ${availableParallelism()} processors`,
  );
  const describe = (what: string, { seconds, cpuSeconds: cpu, peakMb }: Run): void =>
    say(
      `${what}: ${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s of processors, ${Math.round(written.rows / seconds)} rows/s, ${(packed / 1e6 / seconds).toFixed(2)} MB/s compressed${peakMb === null ? '' : `, peak ${Math.round(peakMb)} MB`}`,
    );
  for (let round = 0; round < Number(values.rounds); round++) {
    const plain = await loadByPsql(place, verified, false);
    describe('zcat | psql, indexes kept up to date', plain);
    const own = await loadByBootstrap(place);
    describe('bootstrap, with indexes and checks', own);
    const bare = await loadByPsql(place, verified, true);
    describe('zcat | psql, rows alone', bare);
    say(
      own.output
        .split('\n')
        .filter((line) => /Made \d+ indexes|Loaded \d+ files/.test(line))
        .join('\n'),
    );
    say(`ratio ${(plain.seconds / own.seconds).toFixed(2)}`);
  }
} finally {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
}
