// What an import takes from the database before its first block, and keeps up to date with every block after: who may
// sign, which names and address books there are.
import type { AddressBook } from '../protocol/hapi/address-book.ts';
import { readAddressBook } from '../protocol/hapi/address-book.ts';
import {
  selectAddressBook,
  selectEntitiesByAlias,
  selectEntitiesByEvmAddress,
  selectNodeStakes,
} from '../store/read/import-state.ts';
import { selectFileVersion } from '../store/read/select-file-version.ts';
import { selectHolding } from '../store/read/select-holding.ts';
import type { Database } from '../store/wire/database.ts';
import type { BlockWriter } from '../store/write/block-writer.ts';
import { addAddressBookRows } from './handlers/file/address-book-update.ts';
import type { BlockImporter } from './import-block.ts';
import { createBlockImporter } from './import-block.ts';
import type { Signers } from './open/signers.ts';
import { createSigners } from './open/signers.ts';
import type { BlockRows } from './rows/block-rows.ts';
import { createBlockRows } from './rows/block-rows.ts';
import { createEntityNames } from './rows/entity-lookup.ts';
import { addressBookFileNums } from './rows/file-contents.ts';
import type { TransactionRowOptions } from './rows/transaction-row.ts';

export type ImportState = {
  signers(): Signers;
  importer: BlockImporter;
  /** Takes over the address book and node stakes that a block brought; they count from the next file on. */
  follow(rows: BlockRows): void;
};

/** The file whose nodes sign the stream. */
const signersFileId = 102n;
/** Start of the book that a ledger begins with. */
const firstBookStart = 1n;

export async function loadImportState(db: Database, row: TransactionRowOptions | undefined): Promise<ImportState> {
  const addressBookStarts = new Map<bigint, bigint>();
  let book: AddressBook | null = null;
  for (const fileId of addressBookFileNums) {
    const stored = await selectAddressBook(db, fileId);
    if (!stored) continue;
    addressBookStarts.set(fileId, stored.startConsensusTimestamp);
    if (fileId === signersFileId) book = readAddressBook(stored.fileData);
  }
  if (!book) throw new NoAddressBookError();
  const storedStakes = await selectNodeStakes(db);
  let stakes = storedStakes.length > 0 ? new Map(storedStakes.map(({ nodeId, stake }) => [nodeId, stake])) : null;
  let signers = createSigners(book, stakes);
  const current = { book };

  return {
    signers: () => signers,
    importer: createBlockImporter({
      names: createEntityNames({
        selectByEvmAddress: (addresses) => selectEntitiesByEvmAddress(db, addresses),
        selectByAlias: (aliases) => selectEntitiesByAlias(db, aliases),
      }),
      selectFileContents: async (fileId, before) => (await selectFileVersion(db, fileId, before - 1n))?.content ?? null,
      selectHolding: (accountId, tokenId) => selectHolding(db, accountId, tokenId),
      addressBookStarts,
      row,
    }),
    follow: (rows) => {
      const newStakes = newestStakes(rows);
      const newBook = newestBook(rows);
      if (!newStakes && !newBook) return;
      stakes = newStakes ?? stakes;
      current.book = newBook ?? current.book;
      signers = createSigners(current.book, stakes);
    },
  };
}

/** Gives an empty database the address book that the first files are proved with. */
export async function storeFirstAddressBook(
  db: Database,
  writer: BlockWriter,
  addressBook: Uint8Array | null,
): Promise<void> {
  if (!addressBook || (await selectAddressBook(db, signersFileId))) return;
  const contents = Buffer.from(addressBook);
  const rows = createBlockRows();
  addAddressBookRows(
    { rows },
    { book: readAddressBook(contents), contents, fileId: signersFileId, start: firstBookStart },
  );
  await writer.writeBlock(rows.changes());
}

export class NoAddressBookError extends Error {
  constructor() {
    super(
      'The database holds no address book yet, and none was given: nothing says who may sign the stream. ' +
        'Give the address book file of the network (a serialized NodeAddressBook, the contents of file 0.0.102).',
    );
    this.name = 'NoAddressBookError';
  }
}

function newestStakes(rows: BlockRows): Map<bigint, bigint> | null {
  const inserted = rows.inserted('node_stake');
  const newest = inserted.at(-1)?.consensus_timestamp;
  if (newest === undefined) return null;
  const latest = inserted.filter((row) => row.consensus_timestamp === newest);
  return new Map(latest.map((row) => [row.node_id!, row.stake!]));
}

function newestBook(rows: BlockRows): AddressBook | null {
  const books = rows.upserted('address_book').filter((row) => row.file_id === signersFileId && row.file_data);
  const newest = books.at(-1)?.file_data;
  return newest ? readAddressBook(Buffer.from(newest)) : null;
}
