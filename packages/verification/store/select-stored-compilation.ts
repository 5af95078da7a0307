// What a compilation made, and which places of it may differ on a chain.
import type { Database } from '../../postgres/wire/database.ts';

export type StoredCompilationRow = {
  language: string;
  /** JSON texts. */
  abi: string | null;
  runtimeArtifacts: string;
  creationArtifacts: string;
  runtimeCode: Buffer | null;
  creationCode: Buffer | null;
};

export async function selectStoredCompilation(db: Database, id: bigint): Promise<StoredCompilationRow | null> {
  const code = (hash: string) => `(select code from verification_code where code_hash = ${hash})`;
  const rows = await db.query<StoredCompilationRow>({
    name: 'select-stored-compilation',
    reads: true,
    text: `select c.language, (c.compilation_artifacts->'abi')::text as abi,
  c.runtime_code_artifacts::text as runtime_artifacts, c.creation_code_artifacts::text as creation_artifacts,
  ${code('c.runtime_code_hash')} as runtime_code, ${code('c.creation_code_hash')} as creation_code
from verification_compilation c where c.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}
