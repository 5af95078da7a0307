// The id of a ledger, by its length. 32 bytes: the hash of its first address book. 64 bytes: that hash, and behind it
// the hash of the first hinTS key, so that such an id proves the first key by itself.
import { formatLedgerId } from '../kit/format-ledger-id.ts';
import { isSameBytes, scalarLength } from './field-bytes.ts';
import { refuse } from './proof-refusal.ts';

export const ledgerIdLengths: readonly number[] = [scalarLength, 2 * scalarLength];

/** Throws ProofRefusal for any other length. */
export function checkLedgerId(ledgerId: Uint8Array): void {
  if (ledgerIdLengths.includes(ledgerId.length)) return;
  refuse('ledgerId', `${ledgerIdLengths.join(' or ')} bytes`, `${ledgerId.length}`);
}

/** 32 bytes: of the first hinTS key (hash-hints-key.ts); null: the id does not name it. */
export function findFirstKeyHash(ledgerId: Uint8Array): Uint8Array | null {
  return ledgerId.length === 2 * scalarLength ? ledgerId.subarray(scalarLength) : null;
}

/** Throws ProofRefusal. `what`: says whose ledger id it is. */
export function expectLedgerId(found: Uint8Array, expected: Uint8Array, what: string): void {
  if (isSameBytes(found, expected)) return;
  refuse('ledgerId', `${what} of ledger ${formatLedgerId(expected)}`, `one of ledger ${formatLedgerId(found)}`);
}
