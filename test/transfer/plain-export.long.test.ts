// An export with --plain, read by other programs: PostgreSQL's own psql, of the oldest supported version, into the
// tables of a Hiero mirror node, and another library for BLAKE3.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { blake3 } from '@noble/hashes/blake3.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { withClient } from '../../packages/postgres/wire/connect-client.ts';
import { makePartitions } from '../../packages/store/transfer/make-partitions.ts';
import { openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { isDebianPostgresInstalled } from '../../packages/test-support/postgres/debian-postgres.ts';
import { dumpDatabase } from '../../packages/test-support/postgres/dump-database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { toHieroLayout } from '../support/tables/hiero-layout.ts';
import { writeExport } from '../support/transfer/move-ledger.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const psql = '/usr/lib/postgresql/15/bin/psql';

describe.skipIf(!isDebianPostgresInstalled)('read by psql (skipped where it is not installed)', () => {
  let folder: string;
  let mirror: ScratchDatabase;
  let theirs: ScratchDatabase;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plain-export-'));
    mirror = await openLedger('months');
    await writeExport(mirror.connectionString, folder, { isPlain: true });
    const span = await spanOf(mirror.connectionString);
    theirs = await createScratchDatabase();
    await makePartitions(theirs.connectionString, span);
    await withClient(theirs.connectionString, 'test', (client) => toHieroLayout(client, 'v1'));
  });
  afterAll(async () => {
    await theirs?.close();
    await mirror?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('has the rows of the ledger, and the manifest is true', async () => {
    const manifest = readFileSync(join(folder, 'manifest.csv'), 'utf8').trim().split('\n').slice(1);
    const tables = new Set<string>();
    for (const line of manifest) {
      const [name, rows, size, hash] = line.split(',') as [string, string, string, string];
      const packed = readFileSync(join(folder, name));
      expect([name, packed.length, Buffer.from(blake3(packed)).toString('hex')]).toEqual([name, Number(size), hash]);
      if (!name.endsWith('.csv.gz')) continue;
      const table = basename(name, '.csv.gz').replace(/_p\d{4}_\d{2}$/, '');
      const columns = gunzipSync(packed).toString('latin1').split('\n', 1)[0]!;
      const command = `\\copy "${table}" (${columns}) from program 'zcat "${join(folder, name)}"' with (format csv, header)`;
      const said = execFileSync(psql, ['-d', theirs.connectionString, '-v', 'ON_ERROR_STOP=1', '-c', command]);
      expect([name, said.toString().trim()]).toEqual([name, `COPY ${rows}`]);
      tables.add(table);
    }
    await withClient(mirror.connectionString, 'test', (client) => toHieroLayout(client, 'v1'));
    const [expected, found] = [
      await dumpDatabase(mirror.connectionString),
      await dumpDatabase(theirs.connectionString),
    ];
    for (const [table, rows] of expected) {
      if (table === 'flyway_schema_history') continue;
      expect([table, found.get(table)]).toEqual([table, rows]);
      expect([table, tables.has(table)]).toEqual([table, rows.length > 0 || tables.has(table)]);
    }
    expect([...expected.keys()].length).toBeGreaterThan(50);
  });
});

/** ns. */
async function spanOf(connectionString: string): Promise<{ from: bigint; to: bigint }> {
  return withClient(connectionString, 'test', async (client) => {
    const { rows } = await client.query('select min(consensus_start), max(consensus_end) from record_file');
    return { from: BigInt(rows[0].min), to: BigInt(rows[0].max) };
  });
}
