// The contract that a call, update or deletion was about: the receipt names it by number; the body may only have an EVM
// address, which need not be known here.
import type { proto } from '../../../protocol/hapi/hapi.ts';
import type { BlockItem, HandlerContext } from '../../block/item-context.ts';

/** 0n when unknown. */
export function targetContract(
  { record }: BlockItem,
  { lookup }: HandlerContext,
  bodyId: proto.IContractID | null | undefined,
): bigint {
  return lookup.contract(record.receipt?.contractID) || lookup.contract(bodyId);
}
