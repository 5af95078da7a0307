// What an import reads from the database before its first block and keeps current with every block: signers, names and
// address books.

import type { Database } from '../../packages/postgres/wire/database.ts';
import { type AddressBook, hasPublicKey, readAddressBook } from '../../packages/protocol/hapi/address-book.ts';
import {
  type SystemEntity,
  type SystemRealm,
  systemEntityId,
  usualRealm,
} from '../../packages/protocol/hapi/system-entity.ts';
import {
  hasAddressBook,
  selectAddressBook,
  selectEntitiesByAlias,
  selectEntitiesByEvmAddress,
  selectEvmAddresses,
  selectNodeStakes,
} from '../../packages/store/read/import-state.ts';
import { selectFileVersion } from '../../packages/store/read/select-file-version.ts';
import { selectSystemRealm } from '../../packages/store/read/select-system-realm.ts';
import { selectHolding } from '../../packages/store/read/state/select-holding.ts';
import type { TableChanges } from '../../packages/store/write/block-changes.ts';
import { createEntityNames } from './block/entity-lookup.ts';
import { addressBookFiles } from './block/file-contents.ts';
import type { StreamFilter } from './extent/stream-filter.ts';
import { addAddressBookRows } from './handlers/file/address-book-update.ts';
import { type BlockImporter, createBlockImporter } from './import-block.ts';
import { createImportRealm, type ImportRealm } from './import-realm.ts';
import type { TransactionRowOptions } from './item/transaction-row.ts';
import type { ConsensusRatio } from './open/consensus-ratio.ts';
import { createSigners, type Signers } from './open/signers.ts';
import { type BlockRows, createBlockRows } from './rows/block-rows.ts';

export type ImportState = {
  /** null while no address book is known, which only block streams can do without. */
  signers(): Signers | null;
  realm: ImportRealm;
  importer: BlockImporter;
  /** Rows to be written with the first proved block: the address book that proved it. Empty from the second call on. */
  takeOpening(): TableChanges[];
  /** Adopts the address book and node stakes of a block; they count from the next file on. */
  follow(rows: BlockRows): void;
};

/** The address book with the nodes that sign the stream. */
const signersFile = 'nodeDetails';
/** Start of the book that a ledger begins with. */
const firstBookStart = 1n;

export type ImportStateOptions = {
  /**
   * Serialized NodeAddressBook to begin with, stored with the first block that it proves. Only needed while the
   * database holds none, for record files and blocks that wrap them; later only a book that the database knows is
   * accepted.
   */
  addressBook: Uint8Array | null;
  row?: TransactionRowOptions;
  /** Which transactions are stored; default all. */
  filter?: StreamFilter;
  /** Share of the stake that must have signed a file; default one third. */
  consensusRatio?: ConsensusRatio;
  /** Shard and realm of the network, if configured: the first block must be of these. */
  system?: SystemRealm | null;
};

export async function loadImportState(db: Database, options: ImportStateOptions): Promise<ImportState> {
  const { addressBook, row, filter, consensusRatio, system: said = null } = options;
  const given = addressBook && readAddressBook(addressBook);
  const stored = await selectSystemRealm(db);
  const realm = createImportRealm({ stored, book: given, said });
  const addressBookStarts = new Map<bigint, bigint>();
  let book: AddressBook | null = null;
  const system = realm.current();
  for (const file of system ? addressBookFiles : []) {
    const found = await findAddressBook(db, file, system!);
    if (!found) continue;
    addressBookStarts.set(systemEntityId(file, system!), found.startConsensusTimestamp);
    if (file === signersFile) book = await findSigningBook(db, file, system!);
  }
  let opening: TableChanges[] = [];
  if (book && addressBook) await refuseOtherBook(db, addressBook, system!);
  else if (given) {
    book = given;
    const fileId = systemEntityId(signersFile, system!);
    opening = firstBookRows(book, addressBook!, fileId);
    addressBookStarts.set(fileId, firstBookStart);
  }
  const storedStakes = await selectNodeStakes(db);
  let stakes = storedStakes.length > 0 ? new Map(storedStakes.map(({ nodeId, stake }) => [nodeId, stake])) : null;
  let signers = book && createSigners(book, stakes, consensusRatio);
  const current = { book };

  return {
    signers: () => signers,
    realm,
    importer: createBlockImporter({
      names: createEntityNames({
        selectByEvmAddress: (addresses, before) => selectEntitiesByEvmAddress(db, addresses, before),
        selectByAlias: (aliases, before) => selectEntitiesByAlias(db, aliases, before),
        selectEvmAddresses: (ids, before) => selectEvmAddresses(db, ids, before),
      }),
      selectFileContents: async (fileId, before) => (await selectFileVersion(db, fileId, before - 1n))?.content ?? null,
      selectHolding: (accountId, tokenId, before) => selectHolding(db, { accountId, tokenId, before }),
      addressBookStarts,
      row,
      filter,
    }),
    takeOpening: () => opening.splice(0),
    follow: (rows) => {
      const newStakes = newestStakes(rows);
      const newBook = newestBook(rows, realm.current());
      if (!newStakes && !newBook) return;
      stakes = newStakes ?? stakes;
      current.book = newBook ?? current.book;
      signers = current.book && createSigners(current.book, stakes, consensusRatio);
    },
  };
}

function firstBookRows(book: AddressBook, addressBook: Uint8Array, fileId: bigint): TableChanges[] {
  const rows = createBlockRows();
  const contents = Buffer.from(addressBook);
  addAddressBookRows({ rows }, { book, contents, fileId, start: firstBookStart });
  return rows.changes().parts.flatMap((part) => ('operation' in part ? [] : [part]));
}

/** Throws OtherAddressBookError where an import with this book would. */
export async function assertBookOfDatabase(db: Database, addressBook: Uint8Array, system: SystemRealm): Promise<void> {
  if (await findAddressBook(db, signersFile, system)) await refuseOtherBook(db, addressBook, system);
}

/** A book that the database does not know contradicts it: it belongs to another network or another moment. */
async function refuseOtherBook(db: Database, addressBook: Uint8Array, system: SystemRealm): Promise<void> {
  for (const fileId of bookIds(signersFile, system)) if (await hasAddressBook(db, fileId, addressBook)) return;
  throw new OtherAddressBookError();
}

async function findAddressBook(db: Database, file: SystemEntity, system: SystemRealm) {
  for (const fileId of bookIds(file, system)) {
    const found = await selectAddressBook(db, fileId);
    if (found) return found;
  }
  return null;
}

/** The newest one with a readable key: earlier versions also took over books without one. */
async function findSigningBook(db: Database, file: SystemEntity, system: SystemRealm): Promise<AddressBook | null> {
  let newest: AddressBook | null = null;
  for (const fileId of bookIds(file, system)) {
    for (let found = await selectAddressBook(db, fileId); found; ) {
      const book = readAddressBook(found.fileData);
      if (book.nodes.some(hasPublicKey)) return book;
      newest ??= book;
      found = await selectAddressBook(db, fileId, found.startConsensusTimestamp);
    }
  }
  return newest;
}

/** Earlier versions stored the initial book as that of shard 0, realm 0, whatever the network. */
function bookIds(file: SystemEntity, system: SystemRealm): Set<bigint> {
  return new Set([systemEntityId(file, system), systemEntityId(file, usualRealm)]);
}

export class NoAddressBookError extends Error {
  constructor(file: string) {
    super(
      `${file} is signed by nodes, and nothing says who may sign: the database holds no address book yet, and none was given. ` +
        'Give the address book of the network with --address-book: a serialized NodeAddressBook, the contents of its file 102.',
    );
    this.name = 'NoAddressBookError';
  }
}

export class OtherAddressBookError extends Error {
  constructor() {
    super(
      'The given address book is neither the one that this database began with nor one that the stream has brought since. ' +
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

function newestBook(rows: BlockRows, system: SystemRealm | null): AddressBook | null {
  const fileId = system && systemEntityId(signersFile, system);
  const books = rows.upserted('address_book').filter((row) => row.file_id === fileId && row.file_data);
  const newest = books.at(-1)?.file_data;
  return newest ? readAddressBook(Buffer.from(newest)) : null;
}
