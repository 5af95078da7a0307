// Which status services the processes on this database report to. Each puts it in the name of its connection, which
// every database user can read: no table is needed, and the name of a killed process ends with its connection.
import type { Database } from '../../postgres/wire/database.ts';
import { expression, selectQuery } from './statement/columns.ts';

const prefix = 'ledger-mirror status ';

const named = expression('name', 'text', `set_config('application_name', $1, false)`);
const others = expression('name', 'text', 'application_name');

/** Those other than `own`, which this connection announces at the same time: letters and digits. */
export async function selectOtherStatusPages(db: Database, own: string): Promise<string[]> {
  const name = `${prefix}${own}`;
  await db.query({ ...selectQuery({ name: 'name-status-page', select: named, values: [name] }), reads: false });
  const query = selectQuery({
    name: 'select-status-pages',
    select: others,
    from: `from pg_stat_activity where datname = current_database() and application_name like $1 and application_name <> $2
group by application_name order by application_name`,
    values: [`${prefix}%`, name],
  });
  return (await db.query(query)).map((row) => row.name.slice(prefix.length));
}
