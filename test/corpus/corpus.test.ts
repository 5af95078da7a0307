// The Hiero dialect against the mirror node's own REST specifications, where they are at hand.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.ts';
import { runSpecFile } from './run-spec-file.ts';
import { findSpecFiles, readSpecFile } from './spec-file.ts';

const folder = join(import.meta.dirname, '../../../shared/data/specs');

if (existsSync(folder)) {
  describe('Hiero REST specifications', () => {
    let scratch: ScratchDatabase;
    beforeAll(async () => {
      scratch = await createScratchDatabase();
    });
    afterAll(() => scratch?.close());

    it.each(findSpecFiles(folder))('%s', async (path) => {
      const results = await runSpecFile(readSpecFile(folder, path), { writer: scratch.connectionString });
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter((result) => result.problems.length > 0)).toEqual([]);
    });
  });
} else {
  describe.skip(`Hiero REST specifications: no folder ../shared/data/specs beside the repository`, () => {
    it('has them', () => expect(existsSync(folder)).toBe(true));
  });
}
