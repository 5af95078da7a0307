// A database whose statements each say which block was the newest when they ran. Where all say the same, they saw one
// state, without a transaction: each block is committed as a whole, and is newer than those before.
import type { Database, NamedQuery } from '../../../postgres/wire/database.ts';

type BlockEndRow = { blockEnd: bigint | null; isRow: true | null };

/** By statement: made once, compared as the same string. */
const texts = new Map<string, string>();

/**
 * `tell`: for each statement that has run, the consensus end (ns) of the newest block; null = nothing is stored. Of one
 * machine.
 */
export function withBlockEnd(db: Database, tell: (end: bigint | null) => void): Database {
  return {
    ...db,
    async query<Row>(named: NamedQuery<Row>): Promise<Row[]> {
      const { row: _type, ...query } = named;
      const rows = await db.query<Row & BlockEndRow>({
        ...query,
        shape: `${query.shape ?? ''}told`,
        text: textOf(named),
      });
      const { blockEnd, isRow } = rows[0]!;
      tell(blockEnd);
      return isRow === null ? [] : rows;
    },
  };
}

function textOf({ name, shape, text }: NamedQuery): string {
  const key = `${name} ${shape ?? ''}`;
  let statement = texts.get(key);
  if (statement === undefined) {
    statement = `select told.*, asked.* from (
  select (select consensus_end from record_file order by consensus_end desc limit 1) as "blockEnd"
) told left join (
  select true as "isRow", rows.* from (${text}) rows
) asked on true`;
    texts.set(key, statement);
  }
  return statement;
}
