// A change of the network's address book files, 101 and 102: as soon as their bytes are a whole book, that book is
// valid from the next nanosecond on and the one before it ends. Parts of a book that is still being appended make no
// rows. A book of the file that says who signs (102) needs a readable key: otherwise the one before stays valid.
import {
  type AddressBook,
  hasPublicKey,
  noReadableKey,
  readAddressBook,
} from '../../../../packages/protocol/hapi/address-book.ts';
import { decodeEntityId } from '../../../../packages/protocol/hapi/entity-id.ts';
import { systemEntityNums } from '../../../../packages/protocol/hapi/system-entity.ts';
import { StreamFileError } from '../../../../packages/protocol/stream-file-error.ts';
import type { BlockItem } from '../../block/block-item.ts';
import type { ItemContext } from '../../block/item-context.ts';
import { toStoredText } from '../../columns/stored-values.ts';

/** Call it after the bytes of the transaction were added to `context.files`. */
export function addAddressBook(item: BlockItem, context: ItemContext, fileId: bigint): void {
  const contents = context.files.read(fileId);
  const book = contents ? bookOrNull(contents) : null;
  if (!contents || !book) return;
  if (decodeEntityId(fileId).num === systemEntityNums.nodeDetails) {
    const keyless = book.nodes.filter((node) => !hasPublicKey(node));
    if (keyless.length === book.nodes.length) {
      context.report(item, `${noReadableKey(book).message}; the address book before it stays valid`);
      return;
    }
    if (keyless.length > 0) context.report(item, describeKeyless(keyless));
  }
  const { rows, addressBookStarts } = context;
  const start = item.consensusTimestamp + 1n;
  const previousStart = addressBookStarts.get(fileId);
  if (previousStart !== undefined) {
    rows.upsert('address_book', {
      start_consensus_timestamp: previousStart,
      end_consensus_timestamp: item.consensusTimestamp,
    });
  }
  addressBookStarts.set(fileId, start);
  addAddressBookRows(context, { book, contents, fileId, start });
}

/** Rows of a whole book that is valid from `start` on; also for the book an import begins with. */
export function addAddressBookRows(
  { rows }: Pick<ItemContext, 'rows'>,
  { book, contents, fileId, start }: { book: AddressBook; contents: Uint8Array; fileId: bigint; start: bigint },
): void {
  rows.upsert('address_book', {
    file_data: contents,
    file_id: fileId,
    node_count: book.nodes.length,
    start_consensus_timestamp: start,
  });
  for (const node of book.nodes) {
    rows.insert('address_book_entry', {
      consensus_timestamp: start,
      description: toStoredText(node.description),
      memo: toStoredText(node.memo.toString('utf8')),
      node_account_id: node.accountId,
      node_cert_hash: node.certificateHash,
      node_id: node.nodeId,
      public_key: toStoredText(node.publicKeyHex),
      stake: node.stake,
    });
    for (const endpoint of node.endpoints) {
      rows.insert('address_book_service_endpoint', {
        consensus_timestamp: start,
        domain_name: toStoredText(endpoint.domainName),
        ip_address_v4: endpoint.ipAddress,
        node_id: node.nodeId,
        port: endpoint.port,
      });
    }
  }
}

function describeKeyless(nodes: AddressBook['nodes']): string {
  const ids = nodes.slice(0, maxNamed).map(({ nodeId }) => nodeId);
  const others = nodes.length > maxNamed ? ` and ${nodes.length - maxNamed} others` : '';
  return `the address book has no readable key of node ${ids.join(', ')}${others}: signatures of it are not counted`;
}

const maxNamed = 10;

/** null if the bytes are not a whole book yet. */
function bookOrNull(contents: Uint8Array): AddressBook | null {
  try {
    return readAddressBook(contents);
  } catch (error) {
    if (error instanceof StreamFileError) return null;
    throw error;
  }
}
