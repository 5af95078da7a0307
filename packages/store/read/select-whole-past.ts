// From where on a database holds whole blocks that this program made of the stream, with the state before them.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { expression, type RowOf, selectAll } from './statement/columns.ts';

const wholePast = selectAll(
  // ns; from there on nothing was dropped. null = nothing ever was.
  expression('keptFrom', 'int8', '(select kept_from from mirror_extent)').nullable(),
  // ns; blocks up to there came with an export whose writer does not say by which import they were made. null = none
  // did.
  expression(
    'foreignUntil',
    'int8',
    `case when exists (select from bootstrap_run)
    then coalesce((select min(after) from import_revision), 9223372036854775807) end`,
  ).nullable(),
);

export type WholePast = RowOf<typeof wholePast>;

export async function selectWholePast(db: Database): Promise<WholePast> {
  return (await selectOne(db, { name: 'select-whole-past', select: wholePast }))!;
}

/** Its number; null = none is stored yet. */
export async function selectFirstWholeBlock(
  db: Database,
  { keptFrom, foreignUntil }: WholePast,
): Promise<bigint | null> {
  const found = await selectOne(db, {
    name: 'select-first-whole-block',
    select: expression('number', 'int8', 'index'),
    from: `from record_file where consensus_start >= coalesce($1::int8, 0) and consensus_end > coalesce($2::int8, -1)
order by consensus_end limit 1`,
    values: [keptFrom, foreignUntil],
  });
  return found?.number ?? null;
}
