// One moment of the database for several connections: all files of an export show the same block, while the import goes
// on.

import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { connectClient } from '../../postgres/wire/connect-client.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import { chooseRows, type RowChoice, type TransferTable, transferTables } from './transfer-tables.ts';

export type LedgerSnapshot = {
  /** For `openSnapshotReader`, while this snapshot is open. */
  id: string;
  lastBlock: SnapshotBlock;
  /** First and last time of a table's rows, ns; null = it is empty. */
  span(table: TransferTable): Promise<{ from: bigint; to: bigint } | null>;
  /** Rows with times in [from, to). */
  countRows(table: TransferTable, span: { from: bigint; to: bigint }): Promise<number>;
  close(): Promise<void>;
};

export type SnapshotBlock = { number: bigint; consensusEnd: bigint; hash: string };

/** Throws an Error if the database holds no block. */
export async function openLedgerSnapshot(connectionString: string): Promise<LedgerSnapshot> {
  const client = await connect(connectionString);
  try {
    await client.query('begin isolation level repeatable read read only');
    const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
    const { rows: blocks } = await client.query<{ index: string; end: string; hash: string }>(
      'select index::text, consensus_end::text as end, hash from record_file order by consensus_end desc limit 1',
    );
    if (!blocks[0]) throw new Error('The database holds no block: there is nothing to export.');
    const { index, end, hash } = blocks[0];
    return {
      id: rows[0]!.id,
      lastBlock: { number: BigInt(index), consensusEnd: BigInt(end), hash },
      async span({ name, monthBy }) {
        const column = quoteName(monthBy!);
        const { rows: spans } = await client.query<{ from: string | null; to: string }>(
          `select min(${column})::text as from, max(${column})::text as to from ${quoteName(name)}`,
        );
        const { from, to } = spans[0]!;
        return from === null ? null : { from: BigInt(from), to: BigInt(to) };
      },
      async countRows({ name, monthBy }, { from, to }) {
        const column = quoteName(monthBy!);
        const { rows: counts } = await client.query<{ count: string }>(
          `select count(*)::text as count from ${quoteName(name)} where ${column} >= $1 and ${column} < $2`,
          [from, to],
        );
        return Number(counts[0]!.count);
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = await connectClient(connectionString, 'export');
  await client.query(
    `set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set jit = off; set datestyle = 'ISO, YMD';
set timezone = 'UTC'; set bytea_output = 'hex'; set client_encoding = 'UTF8'`,
  );
  return client;
}

export type CopiedRows = {
  table: string;
  columns: readonly string[];
  choice: RowChoice;
  /** Times of the rows, ns; null = all. */
  span: { from: bigint; to: bigint } | null;
};

export type SnapshotReader = {
  /** CSV with a header; `rows` is to be asked at its end. */
  copy(asked: CopiedRows): { text: AsyncIterable<Uint8Array>; rows(): Promise<number> };
  close(): Promise<void>;
};

/** A further connection on the same moment. */
export async function openSnapshotReader(connectionString: string, id: string): Promise<SnapshotReader> {
  const client = await connect(connectionString);
  try {
    await client.query('begin isolation level repeatable read read only');
    await client.query(`set transaction snapshot '${id.replaceAll("'", "''")}'`);
  } catch (error) {
    await client.end();
    throw error;
  }
  return {
    copy(asked) {
      const stream = client.query(copyTo(`copy (${selectRows(asked)}) to stdout (format csv, header true)`));
      const rows = async (): Promise<number> => {
        // PostgreSQL says the number after the last row, perhaps in a later packet, and before the next answer.
        await client.query('select');
        return stream.rowCount;
      };
      return { text: stream, rows };
    },
    close: () => client.end(),
  };
}

function selectRows({ table, columns, choice, span }: CopiedRows): string {
  const described = transferTables.get(table)!;
  const list = quoteNames(columns);
  const by = described.monthBy === null ? null : quoteName(described.monthBy);
  const from =
    span === null || by === null
      ? quoteName(table)
      : `(select * from ${quoteName(table)} where ${by} >= ${span.from} and ${by} < ${span.to}) of_month`;
  if (table === 'mirror_extent' && choice.kind === 'state') return cutExtent(list);
  return chooseRows(described, choice, from, columns) ?? `select ${list} from ${from}`;
}

/** State without its past is what a mirror holds that has dropped all before. */
function cutExtent(list: string): string {
  return `select ${list} from (
  select id, begun_at, included, excluded, knows_beginning, (select max(consensus_end) + 1 from record_file) as kept_from
  from mirror_extent
) e`;
}
