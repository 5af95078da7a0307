// A contract that matches a compilation which is stored already.
import type { Database } from '../../postgres/wire/database.ts';
import { matchInsert, matchParts, type NewMatch, toMatchValues } from './match-row.ts';

/** Nothing is stored if the stored match is at least as good. */
export async function insertSimilarMatch(db: Database, match: NewMatch & { compilationId: bigint }): Promise<void> {
  await db.query({
    name: 'insert-similar-match',
    text: `with ${matchParts}, compilation as (select $20::bigint as id from worth)
${matchInsert}`,
    values: [...toMatchValues(match), match.compilationId],
  });
}
