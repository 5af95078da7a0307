// Bytes that a transaction wrote to a file. They are stored as sent, one row a transaction; the file's content at a
// time is the rows since its last creation or non-empty update, joined.

import { typeNumber } from '../../../../packages/protocol/hapi/transaction-types.ts';
import type { BlockItem } from '../../block/block-item.ts';
import { isAddressBookFile } from '../../block/file-contents.ts';
import type { ItemContext } from '../../block/item-context.ts';
import { emptyBytes } from '../../columns/stored-values.ts';
import { addAddressBook } from './address-book-update.ts';

/** The file is the item's entity. */
export function addFileData(item: BlockItem, context: ItemContext, contents: Uint8Array | null | undefined): void {
  const { consensusTimestamp, entityId, type } = item;
  const bytes = contents ?? emptyBytes;
  context.rows.insert('file_data', {
    consensus_timestamp: consensusTimestamp,
    entity_id: entityId,
    file_data: bytes,
    transaction_type: type,
  });
  if (type === typeNumber.fileAppend) context.files.append(entityId, bytes);
  else if (type === typeNumber.fileCreate || bytes.length > 0) context.files.replace(entityId, bytes);
  if (isAddressBookFile(entityId) && bytes.length > 0) addAddressBook(item, context, entityId);
}
