// Where the compiled code of a verified contract has its immutables, and the sources that name them.
import type { Database } from '../../postgres/wire/database.ts';

export type ImmutablePlacesRow = {
  code: Buffer;
  /** JSON text. */
  references: string;
  sourceMap: string | null;
  /** JSON text. */
  sourceIds: string | null;
  paths: string[];
  /** null = longer than is read. */
  contents: (Buffer | null)[];
};

/** Characters, of one artifact. */
const maxLength = 1_000_000;
/** Bytes, of all sources; the shortest are read first. */
const maxSources = 2_000_000;

/** null = it has none. */
export async function selectImmutablePlaces(
  db: Database,
  chainId: bigint,
  address: Buffer,
): Promise<ImmutablePlacesRow | null> {
  const upTo = (text: string) => `case when length(${text}) <= ${maxLength} then ${text} end`;
  const rows = await db.query<ImmutablePlacesRow>({
    name: 'select-immutable-places',
    reads: true,
    text: `select k.code, c.runtime_code_artifacts->>'immutableReferences' as references,
  ${upTo("(c.runtime_code_artifacts->>'sourceMap')")} as source_map,
  ${upTo("(c.compilation_artifacts->>'sources')")} as source_ids, s.paths, s.contents
from verified_contract v join verification_compilation c on c.id = v.compilation_id
join verification_code k on k.code_hash = c.runtime_code_hash,
lateral (
  select array_agg(path order by path) as paths,
    array_agg(case when read <= ${maxSources} then content end order by path) as contents
  from (
    select p.path, f.content, sum(length(f.content)) over (order by length(f.content), p.path) as read
    from verification_compilation_source p join verification_source f using (source_hash)
    where p.compilation_id = c.id) of_all) s
where v.chain_id = $1 and v.address = $2 and k.code is not null
  and length(c.runtime_code_artifacts->>'immutableReferences') between 3 and ${maxLength}`,
    values: [chainId, address],
  });
  return rows[0] ?? null;
}
