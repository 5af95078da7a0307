// The message of a publication out of the row that an import made of it. Messages have one form of bytes, so that it is
// the one that was published, where the row is whole.

import type { JsonValue } from '../../../packages/postgres/wire/values.ts';
import { bytesField, intField, messageField, optionalBytes } from '../../../packages/protocol/wire-writer.ts';
import type { LedgerRow } from '../../../packages/store/read/select-published-ledgers.ts';

/**
 * null: the row does not have the nodes, or not in a form that is known. What it says is checked where publications are
 * read.
 */
export function restorePublication({ ledgerId, wrapsKey, nodes }: LedgerRow): Buffer | null {
  const fields = Array.isArray(nodes) ? nodes.map(nodeFields) : [];
  if (fields.length === 0 || fields.includes(null)) return null;
  const entries = fields.map((entry) => messageField(3, entry!));
  return Buffer.concat([bytesField(1, ledgerId), optionalBytes(2, wrapsKey), ...entries].flat());
}

/** null: it is none. */
function nodeFields(node: JsonValue) {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return null;
  const { node_id: id = 0n, weight = 0n, history_proof_key: key = '' } = node;
  if (typeof id !== 'bigint' || typeof weight !== 'bigint' || typeof key !== 'string') return null;
  return [intField(1, id), intField(2, weight), optionalBytes(3, Buffer.from(key, 'base64'))];
}
