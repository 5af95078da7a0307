// The storage slots that a unit wrote, of contracts and of hooks, as listed by its state changes. Traces name a written
// slot by its index in this list, unless they have their own list.

import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { toEntityId } from '../../protocol/hapi/entity-id.ts';
import { proto, toBigInt } from '../../protocol/hapi/hapi.ts';
import { isHookContract } from '../../protocol/hapi/system-entity.ts';
import { nameOfQuestion, type StateQuestion } from '../stream/state-question.ts';
import type { BlockMessages } from './block-messages.generated.ts';
import { blockMessages } from './block-messages.ts';
import type { StateChange, StateChanges } from './read-state-changes.ts';

type SlotQuestion = Extract<StateQuestion, { kind: 'slot' }>;

/**
 * `owner`: hooks of all accounts share one list, as they share one contract. `name`: of place and key, the same for all
 * notations.
 */
export type WrittenSlot = { owner: SlotOwner; name: string; key: Uint8Array; question: SlotQuestion };

type SlotOwner = bigint | 'hooks';

export function slotOwner(contractId: bigint): SlotOwner {
  return isHookContract(contractId) ? 'hooks' : contractId;
}

/** null for a key that is not a slot's. Throws StreamFileError. */
export function findSlot({ kind, key: bytes }: Pick<StateChange, 'kind' | 'key'>): WrittenSlot | null {
  if (bytes.length === 0) return null;
  if (kind === 'slotKey') {
    const { contractID, key } = decodeMessage(proto.SlotKey, bytes);
    return contractSlot(toEntityId(contractID), key);
  }
  if (kind === 'evmHookSlot') {
    const { hookId, key } = blockMessages.evmHookSlot.decode(bytes);
    return hookSlot(hookId, key);
  }
  return null;
}

export function contractSlot(contractId: bigint, key: Uint8Array): WrittenSlot {
  return toSlot(slotOwner(contractId), { contractId }, key);
}

export function hookSlot(hook: BlockMessages['HookId'] | null | undefined, key: Uint8Array): WrittenSlot {
  return toSlot('hooks', { ownerId: hookOwner(hook), hookId: toBigInt(hook?.hookId) }, key);
}

function toSlot(owner: SlotOwner, place: SlotQuestion['place'], bytes: Uint8Array): WrittenSlot {
  const key = slotWord(bytes);
  const question: SlotQuestion = { kind: 'slot', place, key };
  return { owner, name: nameOfQuestion(question), key, question };
}

/** Packed id of the account or contract that a hook belongs to; 0n without one. */
export function hookOwner(hook: BlockMessages['HookId'] | null | undefined): bigint {
  const { accountId, contractId } = hook?.entityId ?? {};
  if (accountId?.length) return toEntityId(decodeMessage(proto.AccountID, accountId));
  return contractId?.length ? toEntityId(decodeMessage(proto.ContractID, contractId)) : 0n;
}

/** By owner, in the order of the stream: slots updated with another value, and removed ones. */
export function listWrittenSlots(all: readonly StateChanges[]): Map<SlotOwner, WrittenSlot[]> {
  const lists = new Map<SlotOwner, WrittenSlot[]>();
  for (const { changes } of all) {
    for (const change of changes) {
      const slot = change.isIdentical ? null : findSlot(change);
      if (!slot) continue;
      const list = lists.get(slot.owner);
      if (list) list.push(slot);
      else lists.set(slot.owner, [slot]);
    }
  }
  return lists;
}

/** Without leading zero bytes. */
export function slotWord(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? bytes.subarray(bytes.length) : bytes.subarray(first);
}
