// What a verified contract's interface is made from, without its sources and codes.
import type { Database } from '../../postgres/wire/database.ts';

export type VerifiedAbiRow = {
  name: string;
  /** JSON text; null = the compiler wrote none, or it is longer than was asked for. */
  abi: string | null;
  storageLayout: string | null;
};

/** `id`: of the match. */
export async function selectVerifiedAbi(db: Database, id: bigint, maxLength: number): Promise<VerifiedAbiRow | null> {
  const upTo = (member: string) => `case when length(${member}) <= $2 then ${member} end`;
  const rows = await db.query<VerifiedAbiRow>({
    name: 'select-verified-abi',
    reads: true,
    text: `select name, ${upTo('abi')} as abi, ${upTo('layout')} as storage_layout
from (
  select c.name, (c.compilation_artifacts->'abi')::text as abi, (c.compilation_artifacts->'storageLayout')::text as layout
  from verified_contract v join verification_compilation c on c.id = v.compilation_id where v.id = $1
) found`,
    values: [id, maxLength],
  });
  return rows[0] ?? null;
}
