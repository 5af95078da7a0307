// Shard and realm of the imported network. The database has them from the first block on that names an account; before,
// they are those of the address book.

import { type AddressBook, realmOfBook } from '../../packages/protocol/hapi/address-book.ts';
import { toEntityIdOrNone } from '../../packages/protocol/hapi/entity-id.ts';
import { isSuccess } from '../../packages/protocol/hapi/response-codes.ts';
import { describeRealm, isSameRealm, realmOf, type SystemRealm } from '../../packages/protocol/hapi/system-entity.ts';
import type { BulkOperation } from '../../packages/store/write/block-changes.ts';
import type { StreamBlock } from '../../packages/streams/stream/stream-block.ts';

export type ImportRealm = {
  /** null while it is unknown. */
  current(): SystemRealm | null;
  /**
   * To be called for every block, before its rows are made; returns, once, what stores the answer. Throws
   * OtherRealmError.
   */
  learn(block: StreamBlock): BulkOperation[];
};

export type ImportRealmOptions = {
  /** From the database. */
  stored: SystemRealm | null;
  /** The address book to begin with. */
  book: AddressBook | null;
  /** From the settings. */
  said: SystemRealm | null;
};

export function createImportRealm({ stored, book, said }: ImportRealmOptions): ImportRealm {
  const ofBook = book && realmOfBook(book);
  let current = stored ?? ofBook;
  let isStored = false;
  return {
    current: () => current,
    learn(block) {
      if (isStored) return [];
      const found = stored ?? realmOfBlock(block);
      if (!found) return [];
      if (said && !isSameRealm(said, found)) throw new OtherRealmError(block.name, found, 'the setting says', said);
      if (ofBook && !isSameRealm(ofBook, found)) {
        throw new OtherRealmError(block.name, found, 'the address book is of', ofBook);
      }
      current = found;
      isStored = true;
      return [{ operation: 'rememberRealm', timestamp: block.consensusEnd, system: found }];
    },
  };
}

/** Of accounts in results; ids in a failed transaction may be wrong. null = the block names no account. */
function realmOfBlock({ openingState, transactions }: StreamBlock): SystemRealm | null {
  const accountIds = function* () {
    for (const { accountId } of openingState?.accounts ?? []) yield accountId;
    for (const { record } of transactions) {
      for (const { accountID } of record.transferList?.accountAmounts ?? []) yield accountID;
    }
    for (const { status, body } of transactions) {
      if (isSuccess(status)) yield body.transactionID?.accountID;
    }
  };
  for (const accountId of accountIds()) {
    const id = toEntityIdOrNone(accountId);
    if (id !== 0n) return realmOf(id);
  }
  return null;
}

class OtherRealmError extends Error {
  constructor(file: string, found: SystemRealm, who: string, other: SystemRealm) {
    super(
      `${file} is of a network in ${describeRealm(found)}, and ${who} ${describeRealm(other)}. Give stream files, address book and settings of one network.`,
    );
    this.name = 'OtherRealmError';
  }
}
