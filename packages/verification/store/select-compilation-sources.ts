// What a compilation was made from.
import type { Database } from '../../postgres/wire/database.ts';

export type CompilationSourcesRow = {
  version: string;
  language: string;
  /** JSON text. */
  compilerSettings: string;
  sourcePaths: string[];
  sourceContents: Buffer[];
};

export async function selectCompilationSources(db: Database, id: bigint): Promise<CompilationSourcesRow | null> {
  const rows = await db.query<CompilationSourcesRow>({
    name: 'select-compilation-sources',
    reads: true,
    text: `select c.version, c.language, c.compiler_settings::text, s.source_paths, s.source_contents
from verification_compilation c, lateral (
  select array_agg(p.path order by p.path) as source_paths, array_agg(f.content order by p.path) as source_contents
  from verification_compilation_source p join verification_source f using (source_hash)
  where p.compilation_id = c.id) s
where c.id = $1`,
    values: [id],
  });
  return rows[0] ?? null;
}
