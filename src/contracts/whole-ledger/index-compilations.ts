// Shapes and signatures of compilations that earlier versions stored, which wrote none. Only the checked contract's own
// shape is known of them, not those of the contracts that were compiled along with it.

import { toSignatures } from '../../../packages/abi/to-signatures.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import {
  type CompilationIndex,
  insertCompilationIndex,
  selectUnindexedCompilations,
  type UnindexedCompilation,
} from '../../../packages/verification/store/compilation-index.ts';
import { hashCodeShape } from '../../../packages/verification/terms/code-shape.ts';

/** Whether there may be more. */
export async function indexCompilations(db: Database, limit: number): Promise<boolean> {
  const compilations = await selectUnindexedCompilations(db, limit);
  for (const compilation of compilations) await insertCompilationIndex(db, compilation.id, toIndex(compilation));
  return compilations.length === limit;
}

function toIndex({ name, abi, runtimeCode }: UnindexedCompilation): CompilationIndex {
  return {
    shapes: runtimeCode?.length ? [{ name, hash: hashCodeShape(runtimeCode) }] : [],
    signatures: toSignatures(abi === null ? null : JSON.parse(abi)).map(({ hash, ...signature }) => ({
      ...signature,
      hash: Buffer.from(hash, 'hex'),
    })),
  };
}
