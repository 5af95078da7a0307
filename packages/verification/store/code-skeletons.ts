// Runtime code of verified contracts by the hash of its skeleton: what contracts of one source have in common.
import type { Database } from '../../postgres/wire/database.ts';

export type CodeSkeleton = { codeHash: Buffer; skeletonHash: Buffer };

/** Of code that is stored; others are left out. */
export async function insertCodeSkeletons(db: Database, skeletons: readonly CodeSkeleton[]): Promise<void> {
  await db.query({
    name: 'insert-code-skeletons',
    text: `insert into verification_code_skeleton (code_hash, skeleton_hash)
select given.* from unnest($1::bytea[], $2::bytea[]) as given (code_hash, skeleton_hash) join verification_code using (code_hash)
on conflict do nothing`,
    values: [skeletons.map(({ codeHash }) => codeHash), skeletons.map(({ skeletonHash }) => skeletonHash)],
  });
}

/** Stored by a version that knew no skeletons. */
export function selectCodeWithoutSkeleton(db: Database, limit: number): Promise<{ codeHash: Buffer; code: Buffer }[]> {
  return db.query({
    name: 'select-code-without-skeleton',
    reads: true,
    text: `select c.code_hash, c.code from verification_code c
where exists (select from verified_contract v where v.onchain_runtime_code_hash = c.code_hash)
  and not exists (select from verification_code_skeleton s where s.code_hash = c.code_hash) limit $1`,
    values: [BigInt(limit)],
  });
}

export type SimilarContract = { chainId: bigint; address: Buffer };

/** One contract of each compilation whose code was compared itself, the best matches first. */
export function selectSimilarContracts(db: Database, skeletonHash: Buffer, limit: number): Promise<SimilarContract[]> {
  return db.query({
    name: 'select-similar-contracts',
    reads: true,
    text: `select chain_id, address from (
  select distinct on (v.compilation_id) v.chain_id, v.address, v.id, v.runtime_match
  from verification_code_skeleton s join verified_contract v on v.onchain_runtime_code_hash = s.code_hash
  where s.skeleton_hash = $1 and v.runtime_match is not null and v.proxy::text = 'null'
  order by v.compilation_id, v.runtime_match desc, v.id) one
order by runtime_match desc, id limit $2`,
    values: [skeletonHash, BigInt(limit)],
  });
}
