// Drops from state changes, as soon as the item is hashed, what nodes exchange for the network's signature and no row
// is made
// of: a vote on a history proof takes 31.6 MB in 2026 and grows.
import { noBytes, visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import { bytesField } from '../../protocol/wire-writer.ts';
import { type BlockStreamItem, itemKinds } from './block-item.ts';
import { hashLeaf } from './hash-tree.ts';

/** Smaller ones are not worth the work, bytes. */
const minSize = 64 * 1024;

/** StateChanges.state_changes, StateChange.map_update, MapUpdateChange.value. */
const pathToValue = [2, 5, 2];

/**
 * Of MapChangeValue: tss_encryption_keys, tss_message, tss_vote, hints_key_set, preprocessing_vote, crs_publication,
 * history_signature, history_proof_vote, proof_key_set, wraps_message_history.
 */
const unreadValues: ReadonlySet<number> = new Set([20, 21, 22, 23, 24, 25, 26, 27, 28, 31]);

/** The same item if there is nothing to drop. Throws StreamFileError. */
export function leaveOutProofs(item: BlockStreamItem): BlockStreamItem {
  if (item.kind !== itemKinds.stateChanges || item.bytes.length < minSize) return item;
  const content = withoutProofs(item.content, pathToValue);
  if (content === item.content) return item;
  return { kind: item.kind, content, bytes: Buffer.concat(bytesField(item.kind, content)), leaf: hashLeaf(item.bytes) };
}

/** The same bytes if there is none; a dropped value stays as an empty one. */
function withoutProofs(message: Buffer, path: readonly number[]): Buffer {
  const parts: Buffer[] = [];
  let copied = 0;
  let fieldStart = 0;
  visitWireFields(message, (number, wireType, start, end) => {
    const at = fieldStart;
    fieldStart = end;
    if (wireType !== wireBytes || end - start < minSize) return;
    if (path.length > 0 ? number !== path[0] : !unreadValues.has(number)) return;
    const value = message.subarray(start, end);
    const kept = path.length > 0 ? withoutProofs(value, path.slice(1)) : noBytes;
    if (kept === value) return;
    parts.push(message.subarray(copied, at), ...bytesField(number, kept));
    copied = end;
  });
  if (parts.length === 0) return message;
  // A copy, even of a small rest: a view would keep the whole message.
  return Buffer.concat([...parts, message.subarray(copied)]);
}
