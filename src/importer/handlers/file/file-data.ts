// Bytes that a transaction gave to a file. They stay as sent, one row a transaction; what the file says at a time is the
// rows since its last creation or non-empty update, joined.

import { typeNumber } from '../../../protocol/hapi/transaction-types.ts';
import { isAddressBookFile } from '../../block/file-contents.ts';
import type { BlockItem, HandlerContext } from '../../block/item-context.ts';
import { addAddressBook } from './address-book-update.ts';

export function addFileData(
  item: BlockItem,
  context: HandlerContext,
  { fileId, contents }: { fileId: bigint; contents: Uint8Array },
): void {
  context.rows.insert('file_data', {
    consensus_timestamp: item.consensusTimestamp,
    entity_id: fileId,
    file_data: contents,
    transaction_type: item.type,
  });
  if (item.type === typeNumber.fileAppend) context.files.append(fileId, contents);
  else if (item.type === typeNumber.fileCreate || contents.length > 0) context.files.replace(fileId, contents);
  if (isAddressBookFile(fileId) && contents.length > 0) addAddressBook(item, context, fileId);
}
