// A database in the compact form answers every specification as any other: all of its transactions are compacted, those
// that a specification packs nothing of, too.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCompact, moveRows } from '../../packages/store/compact/compact-rows.ts';
import { inItsForm } from '../../packages/store/read/in-its-form.ts';
import { int64 } from '../../packages/store/read/statement/statement-parts.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { findSpecFiles, readSpecFile } from '../../packages/test-support/rows/spec-file.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { type CorpusDatabase, openCorpusDatabase, runSpecFile } from './run-spec-file.ts';

const specs = findRealData('specs');
/** Rows go to where the form stores them, and are moved at once. */
async function openCompactDatabase(connectionString: string, client: pg.Client): Promise<CorpusDatabase> {
  await makeCompact(connectionString);
  await client.connect();
  const usual = await openCorpusDatabase(connectionString);
  return {
    ...usual,
    db: await inItsForm(usual.db),
    loader: {
      ...usual.loader,
      async load(rows) {
        await usual.loader.load(rows);
        await client.query('begin');
        await client.query('insert into compact_extent values (1, $1, 0, $2)', [int64.max, int64.min]);
        await moveRows(client, { from: String(int64.min), to: String(int64.max) });
        await client.query('commit');
      },
    },
  };
}

describe.skipIf(specs.isAbsent)(`Hiero REST specifications on a compact database${specs.hint}`, () => {
  let scratch: ScratchDatabase;
  let client: pg.Client;
  let database: CorpusDatabase;
  let moved = 0;
  beforeAll(async () => {
    scratch = await createScratchDatabase();
    client = new pg.Client({ connectionString: scratch.connectionString });
    database = await openCompactDatabase(scratch.connectionString, client);
  });
  afterAll(async () => {
    await database?.close();
    await client?.end();
    await scratch?.close();
  });

  it.each(specs.isAbsent ? [] : findSpecFiles(specs.path))('%s', async (path) => {
    const results = await runSpecFile(readSpecFile(specs.path, path), database);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter((result) => result.problems.length > 0)).toEqual([]);
    const { rows } = await client.query<{ count: number }>('select count(*)::int4 as count from entity_moments');
    moved += rows[0]!.count;
  });

  it('of which many have transfers that were moved', () => {
    expect(moved).toBeGreaterThan(100);
  });
});
