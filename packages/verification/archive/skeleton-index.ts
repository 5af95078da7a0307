// Skeletons of code that an earlier version stored without them. They are made once, before anyone looks for similar
// code.

import { type Database, QueryError } from '../../postgres/wire/database.ts';
import { insertCodeSkeletons, selectCodeWithoutSkeleton } from '../store/code-skeletons.ts';
import { hashCodeSkeleton } from './code-skeleton.ts';

const atOnce = 100;

export function createSkeletonIndex(db: Database): { complete(): Promise<void> } {
  let completing: Promise<void> | null = null;
  return {
    complete() {
      completing ??= fill(db).catch((error: unknown) => {
        completing = null;
        // A database that this program does not own has no such table, and nothing in it.
        if (error instanceof QueryError && error.code === undefinedTable) return;
        throw error;
      });
      return completing;
    },
  };
}

const undefinedTable = '42P01';

async function fill(db: Database): Promise<void> {
  for (;;) {
    const codes = await selectCodeWithoutSkeleton(db, atOnce);
    if (codes.length === 0) return;
    const skeletons = codes.map(({ codeHash, code }) => ({ codeHash, skeletonHash: hashCodeSkeleton(code) }));
    await insertCodeSkeletons(db, skeletons);
  }
}
