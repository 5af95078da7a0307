// Writes what is known of a ledger beside a block: what blocks that are stored already, or an export, say of it.
import type pg from 'pg';
import { inTransaction } from '../../postgres/wire/connect-client.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import { tables } from '../../schema/tables.ts';
import type { TableChanges } from './block-changes.ts';

/** In the order of the changes, in one transaction; rows with a key that is stored are replaced. */
export async function storeLedgerRows(client: pg.Client, changes: readonly TableChanges[]): Promise<void> {
  await inTransaction(client, async () => {
    for (const change of changes) {
      for (const [table, rows] of Object.entries(change)) {
        const { key } = tables[table as keyof typeof tables];
        for (const row of rows) await upsert(client, table, key, row);
      }
    }
  });
}

async function upsert(client: pg.Client, table: string, key: readonly string[], row: object): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, index) => `$${index + 1}`);
  const others = names.filter((name) => !key.includes(name));
  const set = others.map((name) => `${quoteName(name)} = excluded.${quoteName(name)}`).join(', ');
  await client.query(
    `insert into ${quoteName(table)} (${quoteNames(names)}) values (${places.join(', ')})
on conflict (${quoteNames(key)}) do update set ${set}`,
    Object.values(row).map(toParameter),
  );
}

function toParameter(value: unknown): unknown {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value;
}
