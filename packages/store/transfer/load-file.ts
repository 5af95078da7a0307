// Loads one file of an export into its table: one transaction, in which the file is noted too, so that a file is either
// loaded and noted or neither, whatever ends the process. PostgreSQL itself reads the CSV.
import pg from 'pg';
import { connectClient } from '../../postgres/wire/connect-client.ts';
import { copyIn } from '../../postgres/wire/copy-in.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import { partitionName } from '../write/partitions.ts';
import { chooseRows, type RowChoice, type TransferTable, transferTables } from './transfer-tables.ts';

type LoadedFile = {
  name: string;
  table: string;
  /** Of the CSV, in its order; the table has all of them. */
  columns: readonly string[];
  choice: RowChoice;
  /** Year of all rows, where the file is of a month. */
  year: number | null;
  /** No other file fills the table: nothing of it has to be in the write-ahead log of a server without replicas. */
  isOnly: boolean;
  /** CSV without its header. */
  text: AsyncIterable<Uint8Array>;
  /** Called with the number of rows that PostgreSQL read, before they are committed; throws to undo them. */
  accept(rows: number): void;
};

export type FileLoader = {
  /** Resolves with the number of rows that were stored; null = the file was loaded before. */
  load(file: LoadedFile): Promise<number | null>;
  close(): Promise<void>;
};

export function createFileLoader(connectionString: string): FileLoader {
  let client: pg.Client | null = null;

  async function connect(): Promise<pg.Client> {
    const opened = await connectClient(connectionString, 'bootstrap');
    await opened.query(
      `set statement_timeout = 0; set datestyle = 'ISO, YMD'; set timezone = 'UTC'; set jit = off;
set client_encoding = 'UTF8'`,
    );
    return opened;
  }

  return {
    async load(file) {
      client ??= await connect();
      try {
        return await loadIn(client, file);
      } catch (error) {
        const lost = client;
        // After a broken COPY the connection is not used again.
        client = null;
        await lost.end().catch(() => {});
        throw withPlace(error);
      }
    },
    async close() {
      await client?.end();
      client = null;
    },
  };
}

async function loadIn(client: pg.Client, file: LoadedFile) {
  const { name, table, columns, choice, isOnly, text, accept } = file;
  const described = transferTables.get(table)!;
  await client.query('begin');
  // First of all: another process that loads the same file at the same time waits here.
  const noted = await client.query('insert into bootstrap_file (name) values ($1) on conflict do nothing', [name]);
  if (noted.rowCount === 0) {
    await client.query('rollback');
    return null;
  }
  const chosen = chooseRows(described, choice, 'incoming', columns);
  const list = quoteNames(columns);
  if (chosen !== null) {
    await client.query(
      `create temporary table incoming on commit drop as select ${list} from ${quoteName(table)} limit 0`,
    );
  }
  const target = chosen === null ? placeOf(described, file) : 'incoming';
  // In a transaction that has emptied a table its rows are not logged, and frozen ones are not written again when they
  // are first read.
  const isFresh = isOnly && chosen === null && described.isLedger && !(described.isPartitioned && file.year === null);
  if (isFresh) await client.query(`truncate ${target}`);
  const options = isFresh ? 'format csv, freeze true' : 'format csv';
  let stored = await copyIn(client, `copy ${target} (${list}) from stdin (${options})`, text);
  accept(stored);
  if (chosen !== null) {
    const moved = await client.query(`insert into ${quoteName(table)} (${list}) overriding system value ${chosen}`);
    stored = moved.rowCount ?? 0;
  }
  await client.query('update bootstrap_file set row_count = $2, loaded_at = now() where name = $1', [name, stored]);
  await client.query('commit');
  return stored;
}

/** The partition of the year, so that it is not looked up for each row. */
function placeOf({ isPartitioned, name }: TransferTable, { year }: LoadedFile): string {
  return quoteName(isPartitioned && year !== null ? partitionName(name, year) : name);
}

/** PostgreSQL says line and column of a value that it refuses apart from the message. */
function withPlace(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError) || !error.where) return error;
  const [place] = error.where.split('\n');
  return new Error(`${error.message} (${place!.slice(0, 200)})`, { cause: error });
}
