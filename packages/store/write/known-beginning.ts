// Whether the database holds the ledger from its first block on. Determined with the first block and stored: dropping
// rows later does not change that balances were summed from the beginning.
import type pg from 'pg';
import type { Row } from '../../schema/tables.ts';
import { isFirstBlock } from '../read/is-first-block.ts';

export type KnownBeginning = {
  /**
   * Within the transaction that writes rows, before the first of them; `block`: the first among them.
   * @returns whether the ledger began later
   */
  settle(client: pg.Client, block: Row<'record_file'> | undefined): Promise<boolean>;
};

export function createKnownBeginning(): KnownBeginning {
  let settled: boolean | null = null;
  return {
    async settle(client, block) {
      if (settled !== null) return settled;
      const { rows } = await client.query<{ told: boolean | null; is_cut: boolean | null; found: boolean | null }>(
        `select (select knows_beginning from mirror_extent) as told, (select kept_from is not null from mirror_extent) as is_cut,
  (select ${isFirstBlock} from (
    (select 1 as place, prev_hash, version, index from record_file order by consensus_end limit 1)
    union all select 2, $1::text, $2::int4, $3::int8 where $1::text is not null
  ) b order by place limit 1) as found`,
        [block?.prev_hash ?? null, block?.version ?? null, block?.index ?? null],
      );
      const { told: noted, is_cut: isCut, found } = rows[0]!;
      if (noted === null && found === null) return false;
      const knows = noted ?? (isCut || found);
      if (noted === null) {
        await client.query(
          `insert into mirror_extent (id, begun_at, knows_beginning) values (1, 'genesis', $1)
on conflict (id) do update set knows_beginning = excluded.knows_beginning`,
          [knows],
        );
      }
      settled = !knows;
      return settled;
    },
  };
}
