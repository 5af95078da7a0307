// Indexes that no statement of the product follows: the questions of the plan tests and made-up requests to every
// endpoint are asked of a ledger with the statistics of a large one, then PostgreSQL says what it followed.
import pg from 'pg';
import { openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { growTables } from '../../packages/test-support/postgres/grow-tables.ts';
import { createScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { fillLedger, firstTimestamp, lastTimestamp } from '../../packages/test-support/rows/fill-ledger.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { madeQuestions } from '../../test/plans/made-questions.ts';
import { everyFilter } from '../../test/plans/plan-questions.ts';
import { readPlanWords } from '../../test/plans/plan-words.ts';
import { stateQuestions } from '../../test/plans/state-questions.ts';
import { formatTable } from '../support/markdown-table.ts';

const ofEachEndpoint = 20;

/** Markdown. Keys are left out: they say that rows are unique. */
export async function findUnusedIndexes(): Promise<string> {
  const scratch = await createScratchDatabase();
  const client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
  const db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
  try {
    await fillLedger(scratch.connectionString);
    const words = await readPlanWords(db, lastTimestamp);
    await growTables(client, { rows: 250, distinct: 1 });
    await growTables(client, { rows: 1, distinct: 50 });
    await client.query('select pg_stat_reset()');
    const ledger = createLedger({ db, clock: () => lastTimestamp, system: usualRealm });
    const middle = (firstTimestamp + lastTimestamp) / 2n;
    const questions = [...everyFilter(middle), ...madeQuestions(words, { ofEach: ofEachEndpoint })];
    for (const [, ask] of questions) await ask(ledger);
    for (const [, ask] of stateQuestions(middle)) await ask(db);
    // What the connections followed is counted when they end.
    await db.close();
    await client.query('select pg_stat_force_next_flush()');
    const { rows } = await client.query<{ table: string; columns: string; rows: string }>(
      `select coalesce(parent.relname, t.relname)::text as table,
  regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') as columns, sum(greatest(t.reltuples, 0))::int8 as rows
from pg_index i join pg_class t on t.oid = i.indrelid join pg_stat_user_indexes s on s.indexrelid = i.indexrelid
left join (pg_inherits h join pg_class parent on parent.oid = h.inhparent) on h.inhrelid = t.oid
where t.relnamespace = current_schema()::regnamespace and t.relkind = 'r' and not i.indisunique
group by 1, 2 having sum(s.idx_scan) = 0 order by 3 desc, 1, 2`,
    );
    const found = rows.map(({ table, columns, rows: count }) => [
      table,
      `\`${columns}\``,
      count === '0' ? 'none' : 'some',
    ]);
    return `${questions.length} questions and those of calls.\n\n${formatTable(['table', 'index', 'rows there'], found)}`;
  } finally {
    await client.end();
    await scratch.close();
  }
}
