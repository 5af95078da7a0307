// Sources of a verified contract for readers: what it was compiled with, the names of its files, and one file at a time.
import type { Database } from '../wire/database.ts';

export type VerifiedCompilationRow = {
  compiler: string;
  version: string;
  language: string;
  name: string;
  fullyQualifiedName: string;
  /** JSON text; null = longer than is shown. */
  settings: string | null;
  creationValues: string | null;
  runtimeValues: string | null;
  hasMetadata: boolean;
};

/** Characters of JSON. */
const maxLength = 200_000;

export async function selectVerifiedCompilation(
  db: Database,
  chainId: bigint,
  address: Buffer,
): Promise<VerifiedCompilationRow | null> {
  const upTo = (member: string) => `case when length(${member}::text) <= $3 then ${member}::text end`;
  const rows = await db.query<VerifiedCompilationRow>({
    name: 'select-verified-compilation',
    reads: true,
    text: `select c.compiler, c.version, c.language, c.name, c.fully_qualified_name, ${upTo('c.compiler_settings')} as settings,
  ${upTo('v.creation_values')} as creation_values, ${upTo('v.runtime_values')} as runtime_values,
  coalesce(json_typeof(c.compilation_artifacts->'metadata'), 'null') <> 'null' as has_metadata
from verified_contract v join verification_compilation c on c.id = v.compilation_id
where v.chain_id = $1 and v.address = $2`,
    values: [chainId, address, maxLength],
  });
  return rows[0] ?? null;
}

export type SourceFileRow = { path: string; size: number };

/** By path, after one; at most `limit`. */
export function selectVerifiedFiles(
  db: Database,
  { chainId, address, after, limit }: { chainId: bigint; address: Buffer; after: string; limit: number },
): Promise<SourceFileRow[]> {
  return db.query({
    name: 'select-verified-files',
    reads: true,
    text: `select p.path, length(f.content) as size
from verified_contract v
join verification_compilation_source p on p.compilation_id = v.compilation_id
join verification_source f using (source_hash)
where v.chain_id = $1 and v.address = $2 and p.path > $3 order by p.path limit $4`,
    values: [chainId, address, after, limit],
  });
}

/** UTF-8; null = there is no such file. */
export async function selectVerifiedFile(
  db: Database,
  { chainId, address, path }: { chainId: bigint; address: Buffer; path: string },
): Promise<Buffer | null> {
  const rows = await db.query<{ content: Buffer }>({
    name: 'select-verified-file',
    reads: true,
    text: `select f.content
from verified_contract v
join verification_compilation_source p on p.compilation_id = v.compilation_id
join verification_source f using (source_hash)
where v.chain_id = $1 and v.address = $2 and p.path = $3`,
    values: [chainId, address, path],
  });
  return rows[0]?.content ?? null;
}
