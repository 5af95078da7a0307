// State of contracts: storage, code and hooks. Words have 32 bytes here; in traces and in the storage of hooks they are
// as short as possible (mainnet's first block; comments of the protobufs).
import { keccak_256 } from '@noble/hashes/sha3.js';
import { proto } from '../../protocol/hapi/hapi.ts';
import { bytesField, intField } from '../../protocol/wire-writer.ts';
import { accountId, contractId, toLong } from '../ledger/hapi-values.ts';
import type { Hook, LedgerChange } from '../ledger/ledger.ts';
import type { StorageNeighbour } from '../run/stream-unit.ts';
import { hookRunSlot } from '../transactions/hooks.ts';
import { encodeMessage, withoutLeadingZeros } from './message-fields.ts';
import { deleteEntry, type StateEntry, updateEntry } from './state-change.ts';

/** A slot after a unit. */
export type SlotChange = {
  contract: bigint;
  /** Without leading zeros, in hex. */
  slot: string;
  /** null if it was removed. */
  value: Uint8Array | null;
  /** null: it is new. */
  before: Uint8Array | null;
  isIdentical: boolean;
};

/** In the order of the stream. `keepsLost`: also slots that existed only within the unit. */
export function listSlotChanges(
  changes: readonly LedgerChange[],
  neighbours: readonly StorageNeighbour[],
  keepsLost: boolean,
): SlotChange[] {
  const changed = changes.flatMap((change): SlotChange[] => {
    if (change.table !== 'storage') return [];
    const { before, after } = change;
    if (!after)
      return before || keepsLost ? [{ ...nameSlot(change.key), value: null, before: null, isIdentical: false }] : [];
    const isIdentical = before !== undefined && Buffer.compare(before, after) === 0;
    return [{ ...nameSlot(change.key), value: after, before: before ?? null, isIdentical }];
  });
  const moved = neighbours.map(({ key, value }) => ({ ...nameSlot(key), value, before: value, isIdentical: true }));
  return [...changed, ...moved];
}

export function toSlotChange({ contract, slot, value, before, isIdentical }: SlotChange): StateEntry {
  const key = encodeMessage(proto.SlotKey, { contractID: contractId(contract), key: toWord(Buffer.from(slot, 'hex')) });
  if (!value) return deleteEntry('slot', key);
  const toState = (word: Uint8Array) => encodeMessage(proto.SlotValue, { value: toWord(word) });
  return updateEntry('slot', key, toState(value), before && toState(before), isIdentical);
}

/** A hook and its storage. `hasRun`: its counter may have been written without a change. */
export function toHookChanges(before: Hook | undefined, after: Hook, hasRun: boolean): StateEntry[] {
  const id = encodeHookId(after);
  const isOld = before && !before.deleted && before.contract === after.contract && !after.deleted;
  const isSame = isOld && sameSlotCount(before, after);
  const hook = after.deleted
    ? deleteEntry('hook', id)
    : updateEntry('hook', id, hookState(after), before && !before.deleted ? hookState(before) : null);
  const names = new Set([...Object.keys(before?.slots ?? {}), ...Object.keys(after.slots)]);
  if (hasRun) names.add(hookRunSlot);
  const slots = [...names].flatMap((name) => {
    const [was, is] = [before?.slots[name], after.slots[name]];
    if (was === is && !(hasRun && name === hookRunSlot)) return [];
    const key = encodeHookSlotKey(id, hookSlotOf(name));
    if (is === undefined) return [deleteEntry('hookSlot', key)];
    return [updateEntry('hookSlot', key, hookSlotState(is), was === undefined ? null : hookSlotState(was), was === is)];
  });
  return [...(isSame || (!before && after.deleted) ? [] : [hook]), ...slots];
}

export function encodeHookId({ owner, id, ownerIsContract }: HookName): Buffer {
  const entityId = ownerIsContract ? { contractId: contractId(owner) } : { accountId: accountId(owner) };
  return encodeMessage(proto.HookId, { entityId, hookId: toLong(id) });
}
type HookName = Pick<Hook, 'owner' | 'id' | 'ownerIsContract'>;

/** EvmHookState. */
function hookState(hook: Hook): Buffer {
  const fields = [
    bytesField(1, encodeHookId(hook)),
    bytesField(4, encodeMessage(proto.ContractID, contractId(hook.contract))),
    hook.adminKey ? bytesField(5, hook.adminKey) : [],
    intField(9, Object.keys(hook.slots).length),
  ];
  return Buffer.concat(fields.flat());
}

/** SlotValue. */
function hookSlotState(word: string): Buffer {
  return encodeMessage(proto.SlotValue, { value: withoutLeadingZeros(Buffer.from(word, 'hex')) });
}

/** EvmHookSlotKey. */
function encodeHookSlotKey(hookId: Uint8Array, slot: Uint8Array): Buffer {
  return Buffer.concat([bytesField(1, hookId), slot.length > 0 ? bytesField(2, slot) : []].flat());
}

function sameSlotCount(before: Hook, after: Hook): boolean {
  return Object.keys(before.slots).length === Object.keys(after.slots).length;
}

/** Slot of an entry of a Solidity mapping: keccak256(key ‖ slot of the mapping). */
function hookSlotOf(name: string): Uint8Array {
  const [slot, entry] = name.split(':') as [string, string | undefined];
  if (entry === undefined) return withoutLeadingZeros(Buffer.from(slot, 'hex'));
  const bytes = Buffer.from(entry.replace('p', ''), 'hex');
  const key = entry.startsWith('p') ? keccak_256(bytes) : toWord(bytes);
  return withoutLeadingZeros(keccak_256(Buffer.concat([key, toWord(Buffer.from(slot, 'hex'))])));
}

function nameSlot(key: string): Pick<SlotChange, 'contract' | 'slot'> {
  const [contract, slot] = key.split(':') as [string, string];
  return { contract: BigInt(contract), slot: slot.replace(/^(00)+/, '') };
}

function toWord(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.alloc(32 - bytes.length), bytes]);
}
