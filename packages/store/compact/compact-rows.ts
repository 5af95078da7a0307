// Gives a database the compact form (packages/schema/compact-form.ts), and moves rows of the past into it: slices of
// whole blocks, each in one transaction, so that readers see every row once, whichever moment they read at, and a kill
// loses at most a slice. What the packed transfers of a transaction would not give back exactly stays in its tables.

import type pg from 'pg';
import { pause } from '../../kit/pause.ts';
import { connectClient, inTransaction } from '../../postgres/wire/connect-client.ts';
import { notifyReaders } from '../../schema/block-channel.ts';
import {
  compactFormStatements,
  formTables,
  holdMovedRows,
  isAlone,
  isCompact,
  type MovedTable,
  momentsInList,
  movedTables,
  rowsOf,
} from '../../schema/compact-form.ts';
import { isDistributed } from '../../schema/migration/distribute.ts';
import { packedVersions } from '../../schema/packed-transfers.ts';
import { quoteName, quoteNames } from '../../schema/sql-names.ts';
import { dropPartition, selectDetachedTables, selectLeafTables } from '../retention/leaf-tables.ts';

type CompactProgress = {
  /** Of the transactions that are moved: 0 to 1. */
  done: number;
  transactions: number;
};

export type CompactOptions = {
  connectionString: string;
  /** Transactions before this consensus timestamp are moved, in whole blocks. */
  before: bigint;
  onProgress?(progress: CompactProgress): void;
  /** Ends the work between two slices. */
  signal?: AbortSignal;
  /**
   * Files stay as long as they are, and new rows fill them: of the rows of an hour there is nothing to give back.
   */
  keepsFiles?: boolean;
  /** Of one slice; the next one begins after as long a rest as it took. Default 200,000. */
  transactionsAtOnce?: number;
};

export type Compacted = {
  transactions: number;
  /** Transactions whose rows stay in their tables. */
  kept: number;
  /** In the files of those tables, for new rows. */
  freeBytes: number;
};

/** Safe to repeat. Throws an Error if the database cannot have the form. */
export async function makeCompact(connectionString: string): Promise<void> {
  await withCompactor(connectionString, async (client) => {
    if (await isDistributed(client)) {
      throw new Error('A database that is distributed over several machines has no compact form.');
    }
    if (await isCompact(client)) return;
    const { rows } = await client.query<{ postponed: boolean }>(
      'select exists (select from postponed_index) as postponed',
    );
    if (rows[0]!.postponed)
      throw new Error('The indexes of a bulk import are not made yet. Let the import finish first.');
    // An importer that runs has prepared to write into the tables.
    await client.query(`select pg_advisory_lock(hashtext('ledger-mirror writer'))`).catch((cause) => {
      throw new Error('A mirror is writing to this database. Stop it while the form of the database changes.', {
        cause,
      });
    });
    await inTransaction(client, async () => {
      for (const statement of compactFormStatements()) await client.query(statement);
      await grantAsBefore(client);
      await notifyReaders(client, null);
    });
    await client.query(`select pg_advisory_unlock(hashtext('ledger-mirror writer'))`);
  });
}

/** Roles that could read the tables can read what they became. */
async function grantAsBefore(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ role: string }>(
    `select distinct coalesce(quote_ident(r.rolname), 'public') as role
from pg_class c cross join lateral aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee
where c.oid = $1::regclass and a.privilege_type = 'SELECT' and a.grantee <> c.relowner`,
    [rowsOf.crypto_transfer],
  );
  for (const { role } of rows) {
    await client.query(`grant select on ${quoteNames([...movedTables, ...formTables])} to ${role}`);
  }
}

export async function compactRows(options: CompactOptions): Promise<Compacted> {
  return withCompactor(options.connectionString, async (client) => {
    const { before, onProgress = () => {}, signal, keepsFiles = false, transactionsAtOnce = 200_000 } = options;
    const all = await countTransactions(client, before);
    const moved: Compacted = { transactions: 0, kept: 0, freeBytes: 0 };
    while (!signal?.aborted) {
      const started = performance.now();
      const slice = await compactSlice(client, before, transactionsAtOnce);
      if (slice === null) break;
      moved.transactions += slice.transactions;
      moved.kept += slice.kept;
      onProgress({ done: all === 0 ? 1 : moved.transactions / all, transactions: moved.transactions });
      // At most half of a processor: import and queries come first.
      await pause(performance.now() - started);
    }
    if (signal?.aborted) return moved;
    await dropEmptyPartitions(client);
    if (keepsFiles) await freePages(client);
    else moved.freeBytes = await giveBack(client);
    return moved;
  });
}

/** A day before the newest block, ns: rows of the last day are read and replaced most. */
export async function newestCompactable(connectionString: string): Promise<bigint> {
  return withCompactor(connectionString, async (client) => {
    return ((await selectNewestEnd(client)) ?? 0n) - dayNs;
  });
}

/** Consensus end of the newest block, ns; null = there is none. */
async function selectNewestEnd(client: pg.Client): Promise<bigint | null> {
  const { rows } = await client.query<{ end: string | null }>(
    'select max(consensus_end)::text as end from record_file',
  );
  const { end } = rows[0]!;
  return end === null ? null : BigInt(end);
}

const dayNs = 86_400_000_000_000n;

async function withCompactor<Result>(
  connectionString: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = await connectClient(connectionString, 'compaction');
  try {
    await client.query(`set jit = off; set statement_timeout = 0; set lock_timeout = '10s'`);
    // One at a time; held until the connection ends.
    await client.query(`select pg_advisory_lock(hashtext('ledger-mirror compaction'))`).catch((cause) => {
      throw new Error('Another process is compacting this database.', { cause });
    });
    return await work(client);
  } finally {
    await client.end();
  }
}

async function countTransactions(client: pg.Client, before: bigint): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select coalesce(sum(count), 0)::float8 as count from record_file
where consensus_end >= (select border from compact_extent) and consensus_end < $1`,
    [before],
  );
  return rows[0]!.count;
}

type Slice = Pick<Compacted, 'transactions' | 'kept'>;

/** null = nothing is left before the moment. */
async function compactSlice(client: pg.Client, before: bigint, transactionsAtOnce: number): Promise<Slice | null> {
  const { rows } = await client.query<{ from: string; to: string | null; transactions: number }>(nextSlice, [
    before,
    transactionsAtOnce,
  ]);
  const { from, to, transactions } = rows[0]!;
  if (to === null) return null;
  let kept = 0;
  await inTransaction(client, async () => {
    await client.query(`set local work_mem = '64MB'`);
    await client.query(`select ${holdMovedRows('pg_advisory_xact_lock')}`);
    kept = await moveRows(client, { from, to });
    await client.query(moveBorder, [to]);
  });
  return { transactions, kept };
}

/**
 * In the caller's transaction: the rows of transactions from `from` on, before `to`, both int8 in SQL, which becomes the
 * border. Resolves with of how many transactions the rows stay.
 */
export async function moveRows(client: pg.Client, { from, to }: { from: string; to: string }): Promise<number> {
  const span = [from, to];
  const { rows } = await client.query<{ found: boolean }>(hasUnpacked, span);
  if (rows[0]!.found) await client.query(packUnpacked, span);
  const kept = (await client.query(inexactMoments, span)).rowCount ?? 0;
  await client.query('analyze inexact');
  await client.query(markInexact);
  await client.query(fillLists, span);
  for (const text of Object.values(deleteMoved)) await client.query(text, span);
  return kept;
}

/** Blocks from the border on: where they begin, and the moment after the last of them. */
const nextSlice = `select (select border from compact_extent) as from, max(consensus_end) + 1 as to, coalesce(sum(count), 0)::float8 as transactions
from (
  select consensus_end, count, sum(count) over (order by consensus_end) as total,
    row_number() over (order by consensus_end) as place
  from (
    select consensus_end, count from record_file
    where consensus_end >= (select border from compact_extent) and consensus_end < $1 order by consensus_end limit 20000
  ) next
) summed where place = 1 or total <= $2`;

/** The first slice begins before any block. */
const moveBorder = `update compact_extent set border = $1::int8, longest_ns = greatest(
  longest_ns, $1::int8 - (select min(consensus_start) from record_file where consensus_end >= border and consensus_end < $1::int8))`;

const within = (column: string): string => `${column} >= $1 and ${column} < $2`;

/** Of an entity id. */
const maxEntityNumber = 2n ** 38n - 1n;

/** As packed-transfers.ts packs the rows of each transaction of a slice, with how many there are. */
const repacked = {
  h: `select consensus_timestamp, count(*)::int4 as rows,
    string_agg(int8send(entity_id) || int8send(amount) || boolsend(is_approval is true), ''::bytea order by entity_id, amount) as packed,
    bool_or(errata is not null or is_approval is null) as has_further, min(payer_account_id) as payer, max(payer_account_id) as other_payer
  from ${rowsOf.crypto_transfer} where ${within('consensus_timestamp')} group by consensus_timestamp`,
  k: `select consensus_timestamp, count(*)::int4 as rows,
    string_agg(int8send(token_id) || int8send(account_id) || int8send(amount) || boolsend(is_approval is true), ''::bytea
      order by token_id, account_id) as packed,
    bool_or(is_approval is null) as has_further, min(payer_account_id) as payer, max(payer_account_id) as other_payer
  from ${rowsOf.token_transfer} where ${within('consensus_timestamp')} group by consensus_timestamp`,
};

const twoBytes = (rows: string): string => `substring(int4send(coalesce(${rows}, 0)) from 3)`;
const counts = `${twoBytes('h.rows')} || ${twoBytes('k.rows')}`;
const rows = `coalesce(h.packed, '') || coalesce(k.packed, '')`;

/**
 * Transactions that an earlier version imported have nothing packed. As where their rows are read, rewards belong to a
 * transaction only if the account that pays them, number 800 of any realm, moved something.
 */
const packUnpacked = `with h as (${repacked.h}), k as (${repacked.k}), r as (
  select consensus_timestamp, count(*)::int4 as rows,
    string_agg(int8send(account_id) || int8send(amount), ''::bytea order by account_id) as packed
  from staking_reward_transfer w where ${within('consensus_timestamp')} and exists (
    select from ${rowsOf.crypto_transfer} c where c.consensus_timestamp = w.consensus_timestamp and c.entity_id & ${maxEntityNumber} = 800
  ) group by consensus_timestamp
)
update transaction t set packed_transfers = '\\x01'::bytea || ${counts} || ${twoBytes('r.rows')} || ${rows} || coalesce(r.packed, '')
from transaction u left join h using (consensus_timestamp) left join k using (consensus_timestamp)
left join r using (consensus_timestamp)
where u.packed_transfers is null and ${within('u.consensus_timestamp')} and t.consensus_timestamp = u.consensus_timestamp
  and greatest(h.rows, k.rows, r.rows, 0) <= 65535`;

const hasUnpacked = `select exists (select from transaction where packed_transfers is null and ${within('consensus_timestamp')}) as found`;

/** Moments whose rows are not exactly what is packed. */
const inexactMoments = `create temp table inexact on commit drop as
with h as (${repacked.h}), k as (${repacked.k})
select consensus_timestamp from h full join k using (consensus_timestamp) full join (
  select consensus_timestamp, payer_account_id, packed_transfers from transaction where ${within('consensus_timestamp')}
) t using (consensus_timestamp)
where t.packed_transfers is null or not ${isAlone('t')}
  or substring(t.packed_transfers from 2 for 4) <> ${counts}
  or substring(t.packed_transfers from 8 for 17 * coalesce(h.rows, 0) + 25 * coalesce(k.rows, 0)) <> ${rows}
  or h.has_further or k.has_further
  or h.payer <> t.payer_account_id or h.other_payer <> t.payer_account_id
  or k.payer <> t.payer_account_id or k.other_payer <> t.payer_account_id`;

const markInexact = `update transaction t set packed_transfers = set_byte(packed_transfers, 0, ${packedVersions.beside})
from inexact i where t.consensus_timestamp = i.consensus_timestamp and t.packed_transfers is not null`;

const isExact = (alias: string): string =>
  `not exists (select from inexact i where i.consensus_timestamp = ${alias}.consensus_timestamp)`;

const fillLists = `insert into entity_moments (entity_id, first_timestamp, moments)
select entity_id, min(at), array_agg(at order by at) from (
  select entity_id, at, (row_number() over (partition by entity_id order by at) - 1) / ${momentsInList} as list from (
    select c.entity_id, c.consensus_timestamp as at from ${rowsOf.crypto_transfer} c
    where ${within('c.consensus_timestamp')} and ${isExact('c')}
    union
    select k.account_id, k.consensus_timestamp from ${rowsOf.token_transfer} k
    where ${within('k.consensus_timestamp')} and ${isExact('k')}
  ) moved
) placed group by entity_id, list`;

const deleteMoved: Record<MovedTable, string> = {
  crypto_transfer: `delete from ${rowsOf.crypto_transfer} c where ${within('c.consensus_timestamp')} and ${isExact('c')}`,
  token_transfer: `delete from ${rowsOf.token_transfer} k where ${within('k.consensus_timestamp')} and ${isExact('k')}`,
};

async function freePages(client: pg.Client): Promise<void> {
  for (const table of Object.values(rowsOf)) {
    await client.query(`vacuum (analyze, truncate false, skip_locked) ${quoteName(table)}`);
  }
}

/**
 * Gives the pages of rows and index entries that are gone to the file system. Behind them lie the rows that stay: where
 * those are few they are written anew, which keeps readers out for that long. Else new rows fill the pages. Resolves
 * with the bytes of such pages.
 */
async function giveBack(client: pg.Client): Promise<number> {
  let freeBytes = 0;
  for (const table of Object.values(rowsOf)) {
    for (const { name } of await selectLeafTables(client, table)) {
      await client.query(`vacuum (analyze) ${quoteName(name)}`);
      const { rows } = await client.query<{ size: number; rows: number }>(
        'select pg_relation_size(oid)::float8 as size, greatest(reltuples, 0)::float8 as rows from pg_class where oid = to_regclass($1)',
        [quoteName(name)],
      );
      const { size, rows: left } = rows[0]!;
      const free = size - left * maxRowBytes;
      const isWorthIt = free > size / 2 && left * maxRowBytes < maxRewrittenBytes;
      const isWritten = isWorthIt && (await writeAnew(client, name));
      if (!isWritten && free > 0) freeBytes += free;
    }
  }
  await client.query('vacuum (analyze) entity_moments');
  return freeBytes;
}

/** false: readers did not let it for as long as locks are waited for. */
async function writeAnew(client: pg.Client, table: string): Promise<boolean> {
  try {
    await client.query(`vacuum (full) ${quoteName(table)}`);
    // Readers of an index alone look into no page that this has marked.
    await client.query(`vacuum (analyze) ${quoteName(table)}`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return false;
    throw error;
  }
}

const lockNotAvailable = '55P03';

/**
 * Beside an empty partition PostgreSQL reads all rows of an account and sorts them (read/statement/owner-part.ts). The
 * import makes a year again where it restores rows of it.
 */
async function dropEmptyPartitions(client: pg.Client): Promise<void> {
  const newest = await selectNewestEnd(client);
  if (newest === null) return;
  await client.query(`select ${holdMovedRows('pg_advisory_lock')}`);
  for (const [table, stored] of Object.entries(rowsOf)) {
    for (const name of await selectDetachedTables(client, stored, table)) {
      await client.query(`drop table ${quoteName(name)}`);
    }
    for (const leaf of await selectLeafTables(client, stored)) {
      if (!leaf.bounds || leaf.bounds.to > newest || !(await isEmpty(client, leaf.name))) continue;
      await dropPartition(client, stored, leaf);
    }
  }
  await client.query(`select ${holdMovedRows('pg_advisory_unlock')}`);
}

async function isEmpty(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query<{ filled: boolean }>(`select exists (select from ${quoteName(table)}) as filled`);
  return !rows[0]!.filled;
}

/** Of the moved tables. */
const maxRowBytes = 88;
/** A second or two. */
const maxRewrittenBytes = 256 * 2 ** 20;
