// Whether the database holds the ledger from its first block on. It is found out with the first block and kept: what was
// dropped later does not change that balances were summed up from the beginning.
import type pg from 'pg';
import { isFirstBlock } from '../read/is-first-block.ts';
import type { Row } from '../schema/tables.ts';

export type KnownBeginning = {
  /** Tells this session, within the transaction that writes rows, before the first of them; `block`: the first among them. */
  settle(client: pg.Client, block: Row<'record_file'> | undefined): Promise<void>;
};

/** `isDistributed`: statements then run on machines that do not know what this session was told. */
export function createKnownBeginning(isDistributed: boolean): KnownBeginning {
  let isSettled = false;
  return {
    async settle(client, block) {
      if (isSettled) return;
      const { rows } = await client.query<{ told: boolean | null; is_cut: boolean | null; found: boolean | null }>(
        `select (select knows_beginning from mirror_extent) as told, (select kept_from is not null from mirror_extent) as is_cut,
  (select ${isFirstBlock} from (
    (select 1 as place, prev_hash, version, index from record_file order by consensus_end limit 1)
    union all select 2, $1::text, $2::int4, $3::int8 where $1::text is not null
  ) b order by place limit 1) as found`,
        [block?.prev_hash ?? null, block?.version ?? null, block?.index ?? null],
      );
      const { told, is_cut: isCut, found } = rows[0]!;
      if (told === null && found === null) return;
      const knows = told ?? (isCut || found);
      if (isDistributed && !knows) {
        throw new Error(
          'A database that is distributed over several machines holds a ledger from its first block on; this one would begin later. Leave out --from, or import into a database on one machine.',
        );
      }
      if (told === null) {
        await client.query(
          `insert into mirror_extent (id, begun_at, knows_beginning) values (1, 'genesis', $1)
on conflict (id) do update set knows_beginning = excluded.knows_beginning`,
          [knows],
        );
      }
      await client.query(`select set_config('ledger_mirror.began_later', $1, false)`, [knows ? 'off' : 'on']);
      isSettled = true;
    },
  };
}
