// Exports that are damaged, and stores that fail: what is wrong is named, nothing is loaded in part, and the rest is
// loaded.

import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createBLAKE3 } from 'hash-wasm';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import type { FilePlaceAddress } from '../../packages/sources/places/file-place.ts';
import { openFilePlace } from '../../packages/sources/places/open-file-place.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { dumpDatabase, summarizeDump } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { refuseUnfinishedBootstrap } from '../../src/runtime/database/refuse-unfinished-bootstrap.ts';
import {
  type ObjectServer,
  type StoreFault,
  startObjectServer,
  storeCredentials,
} from '../support/servers/object-server.ts';
import { loadFrom, writeExport } from '../support/transfer/move-ledger.ts';

// A ledger is imported, exported and loaded several times.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let root: string;
let mirror: ScratchDatabase;
let server: ObjectServer;
const at = (...names: string[]): string => join(root, ...names);

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'damaged-exports-'));
  Object.assign(process.env, storeCredentials);
  server = await startObjectServer(at('s3'));
  mirror = await openLedger('busy');
  await writeExport(mirror.connectionString, at('good'));
});

afterAll(async () => {
  await server.close();
  await mirror.close();
  rmSync(root, { recursive: true, force: true });
});

const summary = async ({ connectionString }: ScratchDatabase) => summarizeDump(await dumpDatabase(connectionString));

type Line = { name: string; rows: string; size: string; hash: string };

/** Of the manifest of a copy of the export. */
function readLines(place: string): Line[] {
  const [, ...lines] = readFileSync(join(place, 'manifest.csv'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [name, rows, size, hash] = line.split(',') as [string, string, string, string];
    return { name, rows, size, hash };
  });
}

function writeLines(place: string, lines: readonly Line[]): void {
  const text = lines.map(({ name, rows, size, hash }) => `${name},${rows},${size},${hash}\n`).join('');
  writeFileSync(join(place, 'manifest.csv'), `filename,row_count,file_size,blake3_hash\n${text}`);
}

/** A file with other content that the manifest vouches for. */
async function replaceContent(path: string, line: Line, change: (text: string) => string): Promise<void> {
  const packed = gzipSync(change(gunzipSync(readFileSync(path)).toString()));
  writeFileSync(path, packed);
  line.size = String(packed.length);
  line.hash = (await createBLAKE3()).init().update(packed).digest('hex');
}

type Damage = { table: string; reason: RegExp; damage(path: string, line: Line): void | Promise<void> };

const zeros = '0'.repeat(64);
const damages: Damage[] = [
  { table: 'entity', reason: /^it has \d+ bytes, the manifest says \d+$/, damage: (path) => truncateSync(path, 300) },
  {
    table: 'token',
    reason: /unexpected end of file|BLAKE3 hash/,
    damage(path, line) {
      truncateSync(path, 200);
      line.size = 'N/A';
    },
  },
  {
    table: 'token_account',
    reason: /BLAKE3 hash is [0-9a-f]{64}, the manifest says|incorrect|invalid/,
    damage(path) {
      const bytes = readFileSync(path);
      bytes[bytes.length >> 1]! ^= 1;
      writeFileSync(path, bytes);
    },
  },
  {
    table: 'schedule',
    reason: /^the manifest names it, and it is not there$/,
    damage: (path) => renameSync(path, `${path}.away`),
  },
  {
    table: 'nft',
    reason: /^it has \d+ rows, the manifest says 7777$/,
    damage: (_path, line) => void Object.assign(line, { rows: '7777' }),
  },
  {
    table: 'topic',
    reason: /^its BLAKE3 hash is [0-9a-f]{64}, the manifest says 0{64}$/,
    damage: (_path, line) => void Object.assign(line, { hash: zeros }),
  },
  {
    table: 'contract',
    reason: /^it has \d+ bytes, the manifest says 9$/,
    damage: (_path, line) => void Object.assign(line, { size: '9' }),
  },
  {
    table: 'node',
    reason: /incorrect header check/,
    damage(path, line) {
      writeFileSync(path, 'not compressed');
      Object.assign(line, { size: '14', hash: '' });
    },
  },
  {
    table: 'custom_fee',
    reason: /^its first line is no list of columns$/,
    damage: (path, line) => replaceContent(path, line, (text) => `;${text}`),
  },
  {
    table: 'file_data',
    reason: /^its row 2 is longer than 67108864 bytes, and no row may be longer \(--max-row-size\)$/,
    damage: (path, line) =>
      replaceContent(path, line, (text) => {
        const rows = text.split('\n');
        // A text within quotes, whose line ends are no ends of a row.
        rows[2] = `"${'long text\n'.repeat(7_000_000)}",${rows[2]}`;
        return rows.join('\n');
      }),
  },
  {
    table: 'address_book',
    reason: /^invalid input syntax for type bigint: "x\d+" \(COPY address_book, line 1, column /,
    damage: (path, line) =>
      replaceContent(path, line, (text) =>
        text.replace(/\n(\d+)?,/, (found) => (found === '\n,' ? '\nx1,' : found.replace('\n', '\nx'))),
      ),
  },
];

test('what is damaged is named, the rest is loaded, and what is repaired later', async () => {
  const place = at('damaged');
  cpSync(at('good'), place, { recursive: true });
  const lines = readLines(place);
  const good = structuredClone(lines);
  for (const { table, damage } of damages) {
    const line = lines.find(({ name }) => name === `${table}.csv.gz`)!;
    await damage(join(place, line.name), line);
  }
  writeLines(place, lines);
  writeFileSync(join(place, 'surplus_p2026_01.csv.gz'), gzipSync('a\n1\n'));
  const copy = await createScratchDatabase();
  const { failed, warned } = await loadFrom(place, copy.connectionString);
  expect(warned).toContain('Left out are 1 files that the manifest does not name: surplus_p2026_01.csv.gz.');
  for (const { table, reason } of damages) {
    expect([table, failed.find(({ name }) => name === table)?.reason]).toEqual([table, expect.stringMatching(reason)]);
  }
  expect(failed).toHaveLength(damages.length);
  await withClient(copy.connectionString, 'test', async (client) => {
    for (const { table } of damages) {
      const { rows } = await client.query(
        `select count(*)::int4 as stored, (select count(*)::int4 from bootstrap_file where name = '${table}') as noted from "${table}"`,
      );
      expect([table, rows[0]]).toEqual([table, { stored: 0, noted: 0 }]);
    }
  });
  cpSync(at('good'), place, { recursive: true });
  writeLines(place, good);
  expect((await loadFrom(place, copy.connectionString)).failed).toEqual([]);
  expect(await summary(copy)).toEqual(await summary(mirror));
  await copy.close();
});

test.each([
  ['changes a balance', 'entity', 'hbar supply'],
  ['drops a holding', 'token_account', 'token supply'],
  ['drops an NFT', 'nft', 'NFT serials'],
])('an export that %s passes the manifest, and not the checks', async (_what, table, check) => {
  const place = at(`forged-${table}`);
  cpSync(at('good'), place, { recursive: true });
  const lines = readLines(place);
  const line = lines.find(({ name }) => name === `${table}.csv.gz`)!;
  const tokens = await countedTokens(table === 'nft' ? 'NON_FUNGIBLE_UNIQUE' : 'FUNGIBLE_COMMON');
  await replaceContent(join(place, line.name), line, (text) => forge(table, text, tokens));
  if (table !== 'entity') line.rows = String(Number(line.rows) - 1);
  writeLines(place, lines);
  const copy = await createScratchDatabase();
  const { checks, failed } = await loadFrom(place, copy.connectionString);
  expect(failed).toEqual([]);
  expect(checks.filter(({ holds }) => holds === false).map(({ name }) => name)).toEqual([check]);
  await expect(refuseUnfinishedBootstrap(copy.connectionString)).rejects.toThrow(
    `checks of its rows do not hold: ${check}.`,
  );
  const again = await loadFrom(place, copy.connectionString, { accepted: true });
  expect(again.checks).toEqual(expect.arrayContaining([...checks]));
  await refuseUnfinishedBootstrap(copy.connectionString);
  await copy.close();
});

test('a deleted contract may hold hbar', async () => {
  const place = at('deleted-holder');
  cpSync(at('good'), place, { recursive: true });
  const lines = readLines(place);
  const line = lines.find(({ name }) => name === 'entity.csv.gz')!;
  await replaceContent(join(place, line.name), line, (text) => {
    const [header, ...rows] = text.trimEnd().split('\n');
    const [balance, deleted] = ['balance', 'deleted'].map((name) => header!.split(',').indexOf(name)) as [
      number,
      number,
    ];
    const index = rows.findIndex((row) => /^\d{6,}$/.test(row.split(',')[balance] ?? ''));
    const fields = rows[index]!.split(',');
    expect(fields[deleted]).toBe('f');
    rows[index] = fields.with(deleted, 't').join(',');
    return `${[header, ...rows].join('\n')}\n`;
  });
  writeLines(place, lines);
  const copy = await createScratchDatabase();
  const { checks } = await loadFrom(place, copy.connectionString);
  expect(checks).toContainEqual(expect.objectContaining({ name: 'hbar supply', holds: true }));
  await copy.close();
});

/** Ids of the tokens whose supply the checks count: rows of others may miss unseen, and which rows come first is open. */
async function countedTokens(type: string): Promise<Set<string>> {
  const { rows } = await withClient(mirror.connectionString, 'test', (client) =>
    client.query<{ id: string }>(
      `select t.token_id::text as id from token t left join entity e on e.id = t.token_id
where coalesce(e.deleted, false) = false and t.type::text = $1`,
      [type],
    ),
  );
  return new Set(rows.map(({ id }) => id));
}

function forge(table: string, text: string, tokens: ReadonlySet<string>): string {
  const lines = text.trimEnd().split('\n');
  const columns = lines[0]!.split(',');
  const place = columns.indexOf('balance');
  if (table === 'entity') {
    const index = lines.findIndex((line, number) => number > 0 && /^\d{6,}$/.test(line.split(',')[place] ?? ''));
    const fields = lines[index]!.split(',');
    fields[place] = String(BigInt(fields[place]!) + 1n);
    lines[index] = fields.join(',');
  } else {
    const index = lines.findIndex((line, number) => number > 0 && isForgeable(table, columns, fieldsOf(line), tokens));
    expect(index).toBeGreaterThan(0);
    lines.splice(index, 1);
  }
  return `${lines.join('\n')}\n`;
}

/** Of a line of CSV. Ranges have a comma, and quotes around them. */
const fieldsOf = (line: string): string[] => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/);

/** Its token counts it: a holding with a balance, an NFT that exists. */
function isForgeable(
  table: string,
  columns: readonly string[],
  fields: readonly string[],
  tokens: ReadonlySet<string>,
): boolean {
  const value = (name: string): string => fields[columns.indexOf(name)] ?? '';
  if (!tokens.has(value('token_id'))) return false;
  return table === 'nft' ? value('deleted') !== 't' && value('account_id') !== '' : /^[1-9]/.test(value('balance'));
}

const bucketAddress = (prefix: string, timeoutMs = 1_000): FilePlaceAddress => ({
  kind: 'bucket',
  store: 's3',
  bucket: server.bucket,
  prefix,
  endpoint: server.endpoint,
  requesterPays: false,
  timeoutMs,
});

test('a bucket that fails now and then is written to and loaded from all the same', async () => {
  const faults: (StoreFault | null)[] = [
    { kind: 'error', status: 503, code: 'SlowDown' },
    { kind: 'reset' },
    { kind: 'error', status: 500, code: 'InternalError' },
    { kind: 'truncate' },
    { kind: 'stall' },
    { kind: 'drip', parts: 4, pauseMs: 20 },
  ];
  let requests = 0;
  // A fifth of the requests, in turn.
  server.fault = ({ kind }) => {
    requests += 1;
    const fault = requests % 5 === 0 ? faults[(requests / 5) % faults.length]! : null;
    return kind === 'change' && fault?.kind !== 'error' && fault?.kind !== 'reset' ? null : fault;
  };
  await server.put('exports/.folder', '');
  const address = bucketAddress('exports/one');
  const { files } = await writeExport(mirror.connectionString, address);
  const listed = await openFilePlace(address).list();
  expect(listed.filter(({ path }) => path.endsWith('.csv.gz'))).toHaveLength(files);
  const copy = await createScratchDatabase();
  const { failed } = await loadFrom(address, copy.connectionString);
  expect(failed).toEqual([]);
  expect(await summary(copy)).toEqual(await summary(mirror));
  expect(requests).toBeGreaterThan(200);
  server.fault = () => null;
  await copy.close();
});

test('a bucket that refuses is named with what to do', async () => {
  server.fault = () => ({ kind: 'error', status: 403, code: 'AccessDenied' });
  await expect(loadFrom(bucketAddress('exports/one'), mirror.connectionString)).rejects.toThrow(/AccessDenied/);
  server.fault = () => null;
});

test('a large object is read on where the connection broke, and written in parts', async () => {
  const place = openFilePlace(bucketAddress('large', 30_000));
  const whole = Buffer.alloc(40_000_000, 'a large object, in parts. ');
  await place.write(
    'one.bin',
    (async function* () {
      for (let from = 0; from < whole.length; from += 1_000_000) yield whole.subarray(from, from + 1_000_000);
    })(),
  );
  let broken = 0;
  server.fault = ({ kind, url }) => {
    if (kind !== 'get' || !url.includes('one.bin') || broken === 3) return null;
    broken += 1;
    return { kind: 'truncate' };
  };
  server.forget();
  const parts: Uint8Array[] = [];
  for await (const part of place.read('one.bin')) parts.push(part);
  expect(Buffer.concat(parts).equals(whole)).toBe(true);
  const ranges = server.seen.map(({ headers }) => headers.range).filter((range) => range !== undefined);
  expect(ranges).toHaveLength(3);
  server.fault = () => null;
});
