// The address books that were valid at some time, with the content of their files.
import type { Database } from '../../postgres/wire/database.ts';
import { selectOne } from './select-one.ts';
import { columns, type RowOf, selectQuery } from './statement/columns.ts';

const addressBook = columns('address_book', {
  start: 'start_consensus_timestamp',
  fileId: 'file_id',
  content: 'file_data',
});

/** `start`: consensus time from which on it is valid, ns. */
export type AddressBookRow = RowOf<typeof addressBook>;

/** The newest of these files' books that was valid then; null without one. */
export function selectAddressBookAt(
  db: Database,
  fileIds: readonly bigint[],
  at: bigint,
): Promise<AddressBookRow | null> {
  return selectOne(db, {
    name: 'select-address-book-at',
    select: addressBook,
    from: `from address_book where file_id = any($1::int8[]) and start_consensus_timestamp <= $2
order by start_consensus_timestamp desc limit 1`,
    values: [fileIds, at],
  });
}

/**
 * The newest of these files' books with content of this SHA-384 that was valid then, else the oldest one after; null
 * without one.
 */
export function selectAddressBookOfHash(
  db: Database,
  fileIds: readonly bigint[],
  hash: Buffer,
  at: bigint,
): Promise<AddressBookRow | null> {
  return selectOne(db, {
    name: 'select-address-book-of-hash',
    select: addressBook,
    from: `from address_book where file_id = any($1::int8[]) and sha384(file_data) = $2
order by start_consensus_timestamp > $3, abs(start_consensus_timestamp - $3) limit 1`,
    values: [fileIds, hash, at],
  });
}

/** When the books of these files began to be valid, after the one and up to the other time, ascending. */
export async function selectAddressBookStarts(
  db: Database,
  fileIds: readonly bigint[],
  { after, upTo }: { after: bigint; upTo: bigint },
): Promise<bigint[]> {
  const query = selectQuery({
    name: 'select-address-book-starts',
    select: columns('address_book', { start: 'start_consensus_timestamp' }),
    from: `from address_book where file_id = any($1::int8[]) and start_consensus_timestamp > $2 and start_consensus_timestamp <= $3
order by start_consensus_timestamp`,
    values: [fileIds, after, upTo],
  });
  return (await db.query(query)).map(({ start }) => start);
}
