// A block's transactions with the facts that follow from their position: the parent, whether the item counts as
// successful, whether it is top-level. Items are processed in file order; a parent comes before its children.

import { isSuccess } from '../../../packages/protocol/hapi/response-codes.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { StreamBlock, TransactionItem } from '../../../packages/streams/stream/stream-block.ts';
import type { BlockItem } from './block-item.ts';
import type { ItemContext } from './item-context.ts';

type BlockItemsContext = Pick<ItemContext, 'lookup' | 'guard'>;

export function toBlockItems(block: StreamBlock, { lookup, guard }: BlockItemsContext): BlockItem[] {
  const items: BlockItem[] = [];
  let previous: BlockItem | null = null;
  for (const transaction of block.transactions) {
    const parent = resolveParent(transaction, previous);
    const item: BlockItem = {
      ...transaction,
      parent,
      successful: isSuccess(transaction.status) && (parent === null || parent.successful),
      topLevel: false,
      payerAccountId: 0n,
      entityId: 0n,
      evmIndex: null,
    };
    item.payerAccountId = guard(item, () => lookup.account(transaction.body.transactionID?.accountID), 0n);
    item.topLevel = isTopLevel(item);
    items.push(item);
    previous = item;
  }
  return items;
}

/** The previous item, its parent, or (inner transactions of a batch) its grandparent. */
function resolveParent(item: TransactionItem, previous: BlockItem | null): BlockItem | null {
  const timestamp = item.parentConsensusTimestamp;
  if (timestamp === null) return null;
  let candidate = previous;
  for (let step = 0; candidate && step < 3; step += 1) {
    if (candidate.consensusTimestamp === timestamp) return candidate;
    candidate = candidate.parent;
  }
  return null;
}

/** Pays for the updates of system files that the network makes itself. */
const systemAdminId = 50n;

function isTopLevel(item: BlockItem): boolean {
  const nonce = item.body.transactionID?.nonce ?? 0;
  if (nonce === 0 || isScheduled(item) || item.parentConsensusTimestamp === null) return true;
  return item.type === typeNumber.fileUpdate && item.payerAccountId === systemAdminId;
}

/** Whether a schedule executed it. */
export function isScheduled(item: TransactionItem): boolean {
  return item.record.scheduleRef !== null && item.record.scheduleRef !== undefined;
}
