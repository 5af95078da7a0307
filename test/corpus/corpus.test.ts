// The Hiero dialect against the mirror node's own REST specifications, where they are at hand.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runSpecFile } from './run-spec-file.ts';
import { readSpecFiles } from './spec-file.ts';

const folder = join(import.meta.dirname, '../../../shared/data/specs');

if (existsSync(folder)) {
  describe('Hiero REST specifications', () => {
    it.each(readSpecFiles(folder).map((spec) => [spec.path, spec] as const))('%s', async (_path, spec) => {
      const results = await runSpecFile(spec);
      expect(results.length).toBeGreaterThan(0);
      expect(results.filter((result) => result.problems.length > 0)).toEqual([]);
    });
  });
} else {
  describe.skip(`Hiero REST specifications: no folder ../shared/data/specs beside the repository`, () => {
    it('has them', () => expect(existsSync(folder)).toBe(true));
  });
}
