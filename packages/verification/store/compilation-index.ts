// What is looked up in compilations: shapes of code and hashes of signatures. Written with a compilation, and later for
// those that earlier versions stored.
import type { Database } from '../../postgres/wire/database.ts';

export type CompilationIndex = {
  /** Of all contracts that were compiled, by `path:Name`; SHA-256. */
  shapes: readonly { name: string; hash: Buffer }[];
  /** Of its interface; Keccak-256. */
  signatures: readonly { kind: SignatureKind; signature: string; hash: Buffer }[];
};

export type SignatureKind = 'function' | 'event' | 'error';

/**
 * Common table expressions that store it; `compilation`: one with its id. `first`: number of the first of five
 * parameters.
 */
export function indexParts(compilation: string, first: number): string {
  const [names, shapes, kinds, signatures, hashes] = [0, 1, 2, 3, 4].map((place) => `$${first + place}`);
  return `shapes as (
  insert into verification_code_shape (shape_hash, compilation_id, name)
  select given.hash, ${compilation}.id, given.name from ${compilation}, unnest(${names}::text[], ${shapes}::bytea[]) as given (name, hash)
  on conflict do nothing
), signatures as (
  insert into verification_signature (hash, kind, signature)
  select given.hash, given.kind, given.signature
  from ${compilation}, unnest(${kinds}::text[], ${signatures}::text[], ${hashes}::bytea[]) as given (kind, signature, hash)
  on conflict do nothing
), indexed as (
  insert into verification_indexed (compilation_id) select id from ${compilation} on conflict do nothing
)`;
}

export function toIndexValues({ shapes, signatures }: CompilationIndex): unknown[] {
  return [
    shapes.map(({ name }) => name),
    shapes.map(({ hash }) => hash),
    signatures.map(({ kind }) => kind),
    signatures.map(({ signature }) => signature),
    signatures.map(({ hash }) => hash),
  ];
}

export type UnindexedCompilation = {
  id: bigint;
  name: string;
  /** JSON text. */
  abi: string | null;
  /** As compiled. */
  runtimeCode: Buffer | null;
};

/** Compilations without an index, and a match of each, so that contracts are compared with them. */
export function selectUnindexedCompilations(db: Database, limit: number): Promise<UnindexedCompilation[]> {
  return db.query({
    name: 'select-unindexed-compilations',
    reads: true,
    text: `select c.id, c.fully_qualified_name as name, (c.compilation_artifacts->'abi')::text as abi,
  (select code from verification_code where code_hash = c.runtime_code_hash) as runtime_code
from verification_compilation c
where not exists (select from verification_indexed i where i.compilation_id = c.id) order by c.id limit $1`,
    values: [limit],
  });
}

/** Also asks for the comparison of contracts with its matches. */
export async function insertCompilationIndex(db: Database, id: bigint, index: CompilationIndex): Promise<void> {
  await db.query({
    name: 'insert-compilation-index',
    text: `with compilation as (select $1::bigint as id), ${indexParts('compilation', 2)}
insert into contract_match_task (kind, subject, position)
select 'match', v.id, 0 from verified_contract v where v.compilation_id = $1 on conflict do nothing`,
    values: [id, ...toIndexValues(index)],
  });
}

export type ShapeRow = {
  shapeHash: Buffer;
  compilationId: bigint;
  name: string;
  /** Whether this is the contract whose sources were checked, and not one that was compiled along with it. */
  isTarget: boolean;
};

/** Contracts of these shapes, at most `limit` of each: those that were checked first. */
export function selectShapes(db: Database, hashes: readonly Buffer[], limit: number): Promise<ShapeRow[]> {
  return db.query({
    name: 'select-code-shapes',
    reads: true,
    text: `select found.* from unnest($1::bytea[]) as given (hash), lateral (
  select s.shape_hash, s.compilation_id, s.name, s.name = c.fully_qualified_name as is_target
  from verification_code_shape s join verification_compilation c on c.id = s.compilation_id
  where s.shape_hash = given.hash order by s.name <> c.fully_qualified_name, s.compilation_id limit $2
) found`,
    values: [hashes, limit],
  });
}

export type SignatureRow = { hash: Buffer; kind: SignatureKind; signature: string };

/** `from`, `to`: of hashes, inclusive. At most `limit`. */
export function selectSignatures(
  db: Database,
  { from, to, kinds, limit }: { from: Buffer; to: Buffer; kinds: readonly SignatureKind[]; limit: number },
): Promise<SignatureRow[]> {
  return db.query({
    name: 'select-signatures',
    reads: true,
    text: `select hash, kind, signature from verification_signature
where hash between $1 and $2 and kind = any($3::text[]) order by signature, kind limit $4`,
    values: [from, to, kinds, limit],
  });
}
