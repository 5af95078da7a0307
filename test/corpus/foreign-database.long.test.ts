// A Hiero database that this program does not own: its integer columns have domain types, it has none of our indexes,
// we may only select.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { baselineStatements } from '../../packages/schema/migration/baseline.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { findSpecFiles, readSpecFile } from '../../packages/test-support/rows/spec-file.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { type CorpusDatabase, openCorpusDatabase, runSpecFile } from './run-spec-file.ts';

const specs = findRealData('specs');

async function createForeignDatabase() {
  const scratch = await createScratchDatabase({ empty: true });
  await run(scratch.connectionString, [
    'create domain nanos_timestamp as bigint',
    ...baselineStatements()
      .filter((statement) => !statement.startsWith('create index'))
      .map((statement) => statement.replace(/ int8(?! generated)(?=[ ,\n])/g, ' nanos_timestamp')),
  ]);
  return scratch;
}

async function toSelectOnly(connectionString: string): Promise<string> {
  await run(connectionString, [
    `do $$ begin create role only_selects login; exception when duplicate_object then null; end $$`,
    'grant select on all tables in schema public to only_selects',
    'alter default privileges grant select on tables to only_selects',
  ]);
  return connectionString.replace(/\/\/[^@/]*@/, '//only_selects@');
}

async function run(connectionString: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

describe.skipIf(specs.isAbsent)(`Hiero REST specifications on a foreign database${specs.hint}`, () => {
  let scratch: ScratchDatabase;
  let database: CorpusDatabase;
  beforeAll(async () => {
    scratch = await createForeignDatabase();
    const reader = await toSelectOnly(scratch.connectionString);
    database = await openCorpusDatabase(scratch.connectionString, reader);
  });
  afterAll(async () => {
    await database?.close();
    await scratch?.close();
  });

  it.each(specs.isAbsent ? [] : findSpecFiles(specs.path))('%s', async (path) => {
    const spec = readSpecFile(specs.path, path);
    const results = await runSpecFile(spec, database);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter((result) => result.problems.length > 0)).toEqual([]);
  });
});
