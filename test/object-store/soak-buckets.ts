// An import from a bucket of a store that is throttled and fails in every way, killed again and again, compared with an
// import of the same files from a folder; and what it costs to list a folder with a million names.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { formatInstant } from '../../packages/protocol/hapi/timestamp.ts';
import { createSeededRandom } from '../../packages/simulated-network/ledger/seeded-random.ts';
import { askAgain } from '../../packages/sources/bucket/ask-again.ts';
import { createBucketSource } from '../../packages/sources/bucket/bucket-source.ts';
import { createS3Store } from '../../packages/sources/bucket/s3-store.ts';
import type { StreamPosition } from '../../packages/sources/stream-source.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { writeNetwork } from '../../packages/test-support/streams/write-network.ts';
import { runMirror } from '../support/program/run-mirror.ts';
import { listen, type StoreFault, startObjectServer, storeCredentials } from '../support/servers/object-server.ts';
import { dumpTables } from '../support/tables/dump-tables.ts';
import { compareTables, countBlocks, importFolder } from '../support/tables/import-folder.ts';

export type SoakOptions = {
  groups: number;
  kills: number;
  seed: string;
  /** Requests a second that the store takes before it answers SlowDown. */
  requestsPerSecond: number;
  say(line: string): void;
};

export type SoakReport = {
  /** Of the stored blocks, in order of time. */
  numbers: bigint[];
  differences: string[];
  kills: number;
  seconds: number;
  requests: { list: number; get: number };
  faults: Record<string, number>;
  /** Resident memory of the last importer, MB, over its time. */
  memoryMb: number[];
};

/** What may differ between two imports of the same files; mirror_extent is written by the command alone. */
const ofTheTime = {
  record_file: ['load_start', 'load_end'],
  importer_state: ['*'],
  mirror_extent: ['*'],
  import_revision: ['*'],
  ledger_mirror_schema: ['*'],
};

export async function soakBuckets({ groups, kills, seed, requestsPerSecond, say }: SoakOptions): Promise<SoakReport> {
  const root = mkdtempSync(join(tmpdir(), 'soak-buckets-'));
  const folder = join(root, 'network');
  const random = createSeededRandom(seed, 'faults');
  const server = await startObjectServer(join(root, 's3'));
  const [expected, actual] = [await createScratchDatabase(), await createScratchDatabase()];
  const db = openDatabase({ connectionString: actual.connectionString });
  try {
    await writeNetwork({ folder, seed, keepBlocks: groups, blocks: groups, transactions: 2 });
    const addressBook = readFileSync(join(folder, 'addressbook.bin'));
    await importFolder(folder, addressBook, expected.connectionString);
    await server.putFolder(folder);
    say(`${groups} groups are written, imported from their folder, and put into the bucket`);

    const report: Omit<SoakReport, 'numbers' | 'differences' | 'seconds'> = {
      kills: 0,
      requests: { list: 0, get: 0 },
      faults: {},
      memoryMb: [],
    };
    const throttle = createThrottle(requestsPerSecond);
    // Each kind once, however few requests there are.
    const first: StoreFault[] = [0, 60, 80].map((draw) => drawFault(draw)!);
    server.fault = ({ kind }) => {
      if (kind !== 'change') report.requests[kind] += 1;
      server.forget();
      const fault = throttle() ?? first.shift() ?? drawFault(random.integer(0, 999));
      if (fault) {
        const name = fault.kind === 'error' ? fault.code : fault.kind;
        report.faults[name] = (report.faults[name] ?? 0) + 1;
      }
      return fault;
    };
    const started = performance.now();
    for (let isDone = false; !isDone; ) {
      const importer = runMirror(
        [
          ...['import', '--source', `s3://${server.bucket}`, '--source-endpoint', server.endpoint],
          ...['--source-timeout', '2', '--source-poll', '1', '--address-book', join(folder, 'addressbook.bin')],
        ],
        { env: { DATABASE_URL: actual.connectionString, ...storeCredentials } },
      );
      const dieAt = report.kills < kills ? Math.floor(((report.kills + 1) * groups) / (kills + 1)) : groups;
      const memoryMb: number[] = [];
      for (let stored = 0; stored < dieAt; stored = await countBlocks(db)) {
        if (importer.child.exitCode !== null) throw new Error(`The importer ended. It said:\n${importer.output()}`);
        memoryMb.push(residentMb(importer.child.pid!));
        await sleep(200);
      }
      isDone = dieAt === groups;
      importer.child.kill(isDone ? 'SIGTERM' : 'SIGKILL');
      await importer.ended;
      if (isDone) report.memoryMb = memoryMb;
      else {
        report.kills += 1;
        say(`killed ${report.kills} times, at block ${await countBlocks(db)}`);
      }
    }
    const seconds = (performance.now() - started) / 1000;
    const rows = await db.query<{ index: bigint }>({
      name: 'test-block-numbers',
      text: 'select index from record_file order by consensus_end',
    });
    const differences = compareTables(
      await dumpTables(expected.connectionString, ofTheTime),
      await dumpTables(actual.connectionString, ofTheTime),
    );
    return { ...report, seconds, numbers: rows.map(({ index }) => index), differences };
  } finally {
    await db.close();
    await server.close();
    await expected.close();
    await actual.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** One request in eight fails. */
function drawFault(draw: number): StoreFault | null {
  if (draw < 60) return { kind: 'error', status: 503, code: 'SlowDown' };
  if (draw < 80) return { kind: 'reset' };
  if (draw < 100) return { kind: 'truncate' };
  if (draw < 101) return { kind: 'stall' };
  if (draw < 120) return { kind: 'drip', parts: 4, pauseMs: 25 };
  if (draw < 125) return { kind: 'error', status: 500, code: 'InternalError' };
  return null;
}

function createThrottle(requestsPerSecond: number): () => StoreFault | null {
  let second = 0;
  let asked = 0;
  return () => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) [second, asked] = [now, 0];
    asked += 1;
    return asked > requestsPerSecond ? { kind: 'error', status: 503, code: 'SlowDown' } : null;
  };
}

function residentMb(pid: number): number {
  const [, kb = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kb) / 1024);
}

export type ListingReport = { names: number; groups: number; requests: number; seconds: number; memoryMb: number };

/** Follows a node's folder with so many names to its end, beginning behind the given share of them. */
export async function listManyNames(names: number, behind: number): Promise<ListingReport> {
  const first = 1_600_000_000_000_000_000n;
  const instantOf = (index: number) => first + BigInt(index) * 2_000_000_000n;
  const nameOf = (index: number) => `${formatInstant(instantOf(index >> 1))}.rcd${index % 2 === 0 ? '.gz' : '_sig'}`;
  const prefix = 'recordstreams/record0.0.3/';
  let requests = 0;
  // Names that follow from their number stand for a bucket that is too large to be written here.
  const store = createServer((request, answer) => {
    requests += 1;
    const query = new URL(request.url!, 'http://x').searchParams;
    const after = (query.get('start-after') ?? '').slice(prefix.length);
    let from = 0;
    for (let to = names; from < to; ) {
      const middle = (from + to) >> 1;
      if (nameOf(middle) <= after) from = middle + 1;
      else to = middle;
    }
    const to = Math.min(names, from + 1000);
    const contents = Array.from(
      { length: to - from },
      (_, at) => `<Contents><Key>${prefix}${nameOf(from + at)}</Key><Size>1</Size></Contents>`,
    );
    answer.end(`<ListBucketResult><IsTruncated>${to < names}</IsTruncated>${contents.join('')}</ListBucketResult>`);
  });
  await listen(store);
  try {
    const endpoint = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
    const source = createBucketSource({
      store: askAgain(createS3Store({ bucket: 'made-up', endpoint, requesterPays: false }), { timeoutMs: 10_000 }),
      prefix: prefix.slice(0, -1),
      pollMs: 1000,
      aheadBytes: 0,
    });
    const start = Math.floor((names / 2) * behind);
    let at: StreamPosition = { timestamp: instantOf(start) - 1n, nextBlock: null, onlyBlocks: false };
    let groups = 0;
    let memoryMb = 0;
    const started = performance.now();
    for await (const unit of source.units({ position: () => at, live: false, isEnough: () => true })) {
      if (unit.kind !== 'record') throw new Error('there is no block');
      if (unit.group.timestamp !== instantOf(start + groups)) throw new Error(`out of order at ${unit.group.instant}`);
      at = { ...at, timestamp: unit.group.timestamp };
      groups += 1;
      if (groups % 10_000 === 0) memoryMb = Math.max(memoryMb, residentMb(process.pid));
    }
    return { names, groups, requests, seconds: (performance.now() - started) / 1000, memoryMb };
  } finally {
    store.closeAllConnections();
    store.close();
  }
}
