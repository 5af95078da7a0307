// What a database lacks because an earlier version of this program imported a part of it.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { currentRevision, findLacks } from '../../../packages/schema/import-revisions.ts';
import { selectImportRevisions } from '../../../packages/store/read/select-import-revisions.ts';

export type OlderImport = {
  /** The newest block that it imported; null = its blocks are no longer stored, their state is. */
  lastBlock: bigint | null;
  /** What is missing, in them and in the state since. */
  missing: readonly string[];
  /** What may be missing or different in answers about them. */
  different: readonly string[];
};

/** In the order of the blocks; empty if this version would store the same. */
export async function findOlderImports(db: Database): Promise<OlderImport[]> {
  const spans = await selectImportRevisions(db);
  return spans
    .filter(({ revision }) => revision < currentRevision)
    .map(({ revision, blocksRevision, lastBlock }) => {
      const different = lastBlock === null ? [] : findLacks(blocksRevision).blocks;
      return { lastBlock, missing: findLacks(revision).state, different };
    })
    .filter(({ missing, different }) => missing.length + different.length > 0);
}

export function describeOlderImports(imports: readonly OlderImport[]): string[] {
  return imports.map(({ lastBlock, missing, different }) => {
    const which = lastBlock === null ? 'Blocks that were dropped since' : `Blocks up to ${lastBlock}`;
    const parts = [
      missing.length > 0 ? `it lacks ${missing.join(', ')} of that time` : null,
      different.length > 0 ? `what is shown of these blocks may be missing or differ: ${different.join(', ')}` : null,
    ];
    return `${which} were imported by an earlier version of this program: ${parts.filter((part) => part !== null).join('; ')}.`;
  });
}
