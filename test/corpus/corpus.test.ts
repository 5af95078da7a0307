// The Hiero dialect against the mirror node's own REST specifications, where they are at hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { findSpecFiles, readSpecFile } from '../../packages/test-support/rows/spec-file.ts';
import { findRealData } from '../../packages/test-support/streams/real-data.ts';
import { type CorpusDatabase, openCorpusDatabase, runSpecFile } from './run-spec-file.ts';

const specs = findRealData('specs');

describe.skipIf(specs.isAbsent)(`Hiero REST specifications${specs.hint}`, () => {
  let scratch: ScratchDatabase;
  let database: CorpusDatabase;
  beforeAll(async () => {
    scratch = await createScratchDatabase();
    database = await openCorpusDatabase(scratch.connectionString);
  });
  afterAll(async () => {
    await database?.close();
    await scratch?.close();
  });

  const files = specs.isAbsent ? [] : findSpecFiles(specs.path);

  it.each(files)('%s', async (path) => {
    const results = await runSpecFile(readSpecFile(specs.path, path), database);
    expect(results.length).toBeGreaterThan(0);
    expect(results.filter((result) => result.problems.length > 0)).toEqual([]);
  });
});
