// Updates the signers from the stream itself: a new address book in the network's file 102, new stakes in a node stake
// update. Both count from the following file on.

import { type AddressBook, readSigningBook, realmOfBook } from '../../../packages/protocol/hapi/address-book.ts';
import { toEntityIdOrNone } from '../../../packages/protocol/hapi/entity-id.ts';
import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { isSuccess } from '../../../packages/protocol/hapi/response-codes.ts';
import { systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { isBadData } from '../../../packages/protocol/ledger-value-error.ts';
import type { StreamBlock, TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import { type ConsensusRatio, oneThird } from './consensus-ratio.ts';
import { createSigners, type Signers } from './signers.ts';

export type SignerFollower = {
  signers(): Signers;
  /** Adopts the block's changes. */
  follow(block: StreamBlock): void;
};

export function createSignerFollower(
  addressBook: AddressBook,
  stakes: ReadonlyMap<bigint, bigint> | null,
  ratio: ConsensusRatio = oneThird,
): SignerFollower {
  const addressBookFile = systemEntityId('nodeDetails', realmOfBook(addressBook));
  let book = addressBook;
  let nodeStakes = stakes;
  let signers = createSigners(book, nodeStakes, ratio);
  let content: Buffer = Buffer.alloc(0);

  function followItem({ body }: TransactionItem): boolean {
    if (body.nodeStakeUpdate) {
      const entries = body.nodeStakeUpdate.nodeStake ?? [];
      nodeStakes = new Map(entries.map((entry) => [toBigInt(entry.nodeId), toBigInt(entry.stake)]));
      return true;
    }
    const write = body.fileUpdate ?? body.fileAppend;
    if (!write?.contents?.length || toEntityIdOrNone(write.fileID) !== addressBookFile) return false;
    content = Buffer.concat(body.fileUpdate ? [write.contents] : [content, write.contents]);
    const next = readWhole(content);
    if (next) book = next;
    return next !== null;
  }

  return {
    signers: () => signers,
    follow(block) {
      const succeeded = block.transactions.filter((item) => isSuccess(item.status));
      const changed = succeeded.map(followItem).includes(true);
      if (changed) signers = createSigners(book, nodeStakes, ratio);
    },
  };
}

// A book in parts is incomplete until the last of them; one without a readable key does not take the place of the one
// before.
function readWhole(content: Buffer): AddressBook | null {
  try {
    return readSigningBook(content);
  } catch (error) {
    if (isBadData(error)) return null;
    throw error;
  }
}
