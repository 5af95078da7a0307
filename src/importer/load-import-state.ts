// What an import takes from the database before its first block, and keeps up to date with every block after: who may
// sign, which names and address books there are.
import type { AddressBook } from '../protocol/hapi/address-book.ts';
import { readAddressBook } from '../protocol/hapi/address-book.ts';
import {
  hasAddressBook,
  selectAddressBook,
  selectEntitiesByAlias,
  selectEntitiesByEvmAddress,
  selectEvmAddresses,
  selectNodeStakes,
} from '../store/read/import-state.ts';
import { selectFileVersion } from '../store/read/select-file-version.ts';
import { selectHolding } from '../store/read/select-holding.ts';
import type { Database } from '../store/wire/database.ts';
import type { TableChanges } from '../store/write/block-changes.ts';
import type { StreamFilter } from './extent/stream-filter.ts';
import { addAddressBookRows } from './handlers/file/address-book-update.ts';
import type { BlockImporter } from './import-block.ts';
import { createBlockImporter } from './import-block.ts';
import type { ConsensusRatio } from './open/consensus-ratio.ts';
import type { Signers } from './open/signers.ts';
import { createSigners } from './open/signers.ts';
import type { BlockRows } from './rows/block-rows.ts';
import { createBlockRows } from './rows/block-rows.ts';
import { createEntityNames } from './rows/entity-lookup.ts';
import { addressBookFileNums } from './rows/file-contents.ts';
import type { TransactionRowOptions } from './rows/transaction-row.ts';

export type ImportState = {
  /** null while no address book is known, which only block streams can do without. */
  signers(): Signers | null;
  importer: BlockImporter;
  /** Rows to be written with the first proved block: the address book that proved it. Empty from the second call on. */
  takeOpening(): TableChanges[];
  /** Takes over the address book and node stakes that a block brought; they count from the next file on. */
  follow(rows: BlockRows): void;
};

/** The address book with the nodes that sign the stream. */
const signersFileId = 102n;
/** Start of the book that a ledger begins with. */
const firstBookStart = 1n;

export type ImportStateOptions = {
  /** Serialized NodeAddressBook to begin with. */
  addressBook: Uint8Array | null;
  row?: TransactionRowOptions;
  filter?: StreamFilter;
  /** One third unless said. */
  consensusRatio?: ConsensusRatio;
};

export async function loadImportState(db: Database, options: ImportStateOptions): Promise<ImportState> {
  const { addressBook, row, filter, consensusRatio } = options;
  const addressBookStarts = new Map<bigint, bigint>();
  let book: AddressBook | null = null;
  for (const fileId of addressBookFileNums) {
    const stored = await selectAddressBook(db, fileId);
    if (!stored) continue;
    addressBookStarts.set(fileId, stored.startConsensusTimestamp);
    if (fileId === signersFileId) book = readAddressBook(stored.fileData);
  }
  let opening: TableChanges[] = [];
  if (book) await refuseOtherBook(db, addressBook);
  else if (addressBook) {
    book = readAddressBook(addressBook);
    opening = firstBookRows(book, addressBook);
    addressBookStarts.set(signersFileId, firstBookStart);
  }
  const storedStakes = await selectNodeStakes(db);
  let stakes = storedStakes.length > 0 ? new Map(storedStakes.map(({ nodeId, stake }) => [nodeId, stake])) : null;
  let signers = book && createSigners(book, stakes, consensusRatio);
  const current = { book };

  return {
    signers: () => signers,
    importer: createBlockImporter({
      names: createEntityNames({
        selectByEvmAddress: (addresses) => selectEntitiesByEvmAddress(db, addresses),
        selectByAlias: (aliases) => selectEntitiesByAlias(db, aliases),
        selectEvmAddresses: (ids) => selectEvmAddresses(db, ids),
      }),
      selectFileContents: async (fileId, before) => (await selectFileVersion(db, fileId, before - 1n))?.content ?? null,
      selectHolding: (accountId, tokenId) => selectHolding(db, accountId, tokenId),
      addressBookStarts,
      row,
      filter,
    }),
    takeOpening: () => opening.splice(0),
    follow: (rows) => {
      const newStakes = newestStakes(rows);
      const newBook = newestBook(rows);
      if (!newStakes && !newBook) return;
      stakes = newStakes ?? stakes;
      current.book = newBook ?? current.book;
      signers = current.book && createSigners(current.book, stakes, consensusRatio);
    },
  };
}

function firstBookRows(book: AddressBook, addressBook: Uint8Array): TableChanges[] {
  const rows = createBlockRows();
  const contents = Buffer.from(addressBook);
  addAddressBookRows({ rows }, { book, contents, fileId: signersFileId, start: firstBookStart });
  return rows.changes().parts.flatMap((part) => ('operation' in part ? [] : [part]));
}

/** A book that the database does not know contradicts it: it belongs to another network or another moment. */
async function refuseOtherBook(db: Database, addressBook: Uint8Array | null): Promise<void> {
  if (addressBook && !(await hasAddressBook(db, signersFileId, addressBook))) throw new OtherAddressBookError();
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

export class OtherAddressBookError extends Error {
  constructor() {
    super(
      'The address book that was given is neither the one this database was begun with nor one that the stream brought since. ' +
        'Leave --address-book out: the database knows who signs. If the book is right and the database is of another network, ' +
        'import into an empty database.',
    );
    this.name = 'OtherAddressBookError';
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
