// Verified contracts whose name begins with a text, in any case. What it costs does not depend on how many there are.
import type { Database } from '../../postgres/wire/database.ts';

export type NamedContractRow = { address: Buffer; name: string };

/** Compilations of such names that are looked at. */
const maxCompilations = 100;

/** By name, then the one that was verified first. */
export function selectContractsByName(
  db: Database,
  { chainId, start, limit }: { chainId: bigint; start: string; limit: number },
): Promise<NamedContractRow[]> {
  return db.query({
    name: 'select-contracts-by-name',
    reads: true,
    text: `select v.address, c.name
from (
  select id, name, left(lower(name), 100) as lowered from verification_compilation
  where left(lower(name), 100) like $2 order by left(lower(name), 100) limit ${maxCompilations}
) c cross join lateral (
  select v.address, v.id from verified_contract v where v.compilation_id = c.id and v.chain_id = $1 order by v.id limit $3
) v
order by c.lowered, v.id limit $3`,
    values: [chainId, `${start.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`, limit],
  });
}
