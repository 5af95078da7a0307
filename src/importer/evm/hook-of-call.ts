// Which hook a call of the hook contract ran. Hooks share one contract number, under which their owner's contract runs. A
// block names the hook; the record of the call does not, but the transfer that caused it lists the hooks to ask, and they
// are called in a fixed order.

import { type proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import type { BlockItem } from '../block/block-item.ts';
import type { ItemContext } from '../block/item-context.ts';
import { isHookContract } from './block-evm.ts';
import type { HookName } from './hook-storage.ts';

/** null where the contract is another one, or no transfer called a hook; a call that the transfer does not list is reported. */
export function hookOfCall(item: BlockItem, context: ItemContext, contractId: bigint): HookName | null {
  if (!isHookContract(contractId)) return null;
  if (item.executedHook?.ownerId) return item.executedHook;
  const transfer = item.parent?.body.cryptoTransfer;
  if (context.evm.lastHookCall !== item || !transfer) return null;
  const hook = transferHooks(transfer, context)[context.evm.lastHookPosition];
  if (!hook) context.report(item, 'the transfer names no hook for this call of the hook contract');
  return hook ?? null;
}

type HookCall = { account: proto.IAccountID | null | undefined; hook: proto.IHookCall | null | undefined };

/** Those called once before the transfer, then those called before and after it, then these again. */
function transferHooks(transfer: proto.ICryptoTransferTransactionBody, { lookup }: ItemContext): HookName[] {
  const before: HookCall[] = [];
  const around: HookCall[] = [];
  const addAmounts = (amounts: proto.IAccountAmount[] | null | undefined): void => {
    for (const { accountID: account, preTxAllowanceHook, prePostTxAllowanceHook } of amounts ?? []) {
      before.push({ account, hook: preTxAllowanceHook });
      around.push({ account, hook: prePostTxAllowanceHook });
    }
  };
  addAmounts(transfer.transfers?.accountAmounts);
  for (const { transfers, nftTransfers } of transfer.tokenTransfers ?? []) {
    addAmounts(transfers);
    for (const nft of nftTransfers ?? []) {
      before.push(
        { account: nft.senderAccountID, hook: nft.preTxSenderAllowanceHook },
        { account: nft.receiverAccountID, hook: nft.preTxReceiverAllowanceHook },
      );
      around.push(
        { account: nft.senderAccountID, hook: nft.prePostTxSenderAllowanceHook },
        { account: nft.receiverAccountID, hook: nft.prePostTxReceiverAllowanceHook },
      );
    }
  }
  return [...before, ...around, ...around].flatMap(({ account, hook }) =>
    hook ? [{ ownerId: lookup.account(account), hookId: toBigInt(hook.hookId) }] : [],
  );
}
