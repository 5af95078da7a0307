// Sources of a verified contract for readers: what it was compiled with, the names of its files, and one file at a
// time.
import type { Database } from '../../postgres/wire/database.ts';

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
    text: `select c.compiler, c.version, c.language, left(c.name, 1000) as name, left(c.fully_qualified_name, 2000) as fully_qualified_name, ${upTo('c.compiler_settings')} as settings,
  ${upTo('v.creation_values')} as creation_values, ${upTo('v.runtime_values')} as runtime_values,
  coalesce(json_typeof(c.compilation_artifacts->'metadata'), 'null') <> 'null' as has_metadata
from verified_contract v join verification_compilation c on c.id = v.compilation_id
where v.chain_id = $1 and v.address = $2`,
    values: [chainId, address, maxLength],
  });
  return rows[0] ?? null;
}

export type SourceFileRow = {
  /** Its first characters, if it is longer than any real one. */
  path: string;
  isCut: boolean;
  /** MD5 of the path, hex: a name of any path that is short. */
  pathHash: string;
  /** Bytes. */
  size: number;
};

const maxPathLength = 600;

/** By path, after the first `from`; at most `limit`. */
export function selectVerifiedFiles(
  db: Database,
  { chainId, address, from, limit }: { chainId: bigint; address: Buffer; from: number; limit: number },
): Promise<SourceFileRow[]> {
  return db.query({
    name: 'select-verified-files',
    reads: true,
    text: `select left(p.path, ${maxPathLength}) as path, length(p.path) > ${maxPathLength} as is_cut, md5(p.path) as path_hash, length(f.content) as size
from verified_contract v
join verification_compilation_source p on p.compilation_id = v.compilation_id
join verification_source f using (source_hash)
where v.chain_id = $1 and v.address = $2 order by p.path offset $3 limit $4`,
    values: [chainId, address, from, limit],
  });
}

export type SourceFileName = { path: string } | { pathHash: string };

/** UTF-8; null = there is no such file. */
export async function selectVerifiedFile(
  db: Database,
  { chainId, address, file }: { chainId: bigint; address: Buffer; file: SourceFileName },
): Promise<{ path: string; content: Buffer } | null> {
  const [condition, value] = 'path' in file ? ['p.path', file.path] : ['md5(p.path)', file.pathHash];
  const rows = await db.query<{ path: string; content: Buffer }>({
    name: 'select-verified-file',
    shape: 'path' in file ? 'path' : 'hash',
    reads: true,
    text: `select left(p.path, ${maxPathLength}) as path, f.content
from verified_contract v
join verification_compilation_source p on p.compilation_id = v.compilation_id
join verification_source f using (source_hash)
where v.chain_id = $1 and v.address = $2 and ${condition} = $3`,
    values: [chainId, address, value],
  });
  return rows[0] ?? null;
}
