// Fields of HAPI messages that are newer than the generated decoders, read from the bytes: the high-volume lane of
// TransactionBody and TransactionRecord (HIP-1313) and the delegation of accounts (HIP-1340).

import type { HighVolume } from '../stream-block.ts';
import { readVarint64, visitWireFields, wireBytes, wireVarint } from '../wire-fields.ts';
import { splitTransaction } from './split-transaction.ts';

const bodyHighVolume = 1002;
const recordMultiplier = 23;
/** By the number of the body's data: where CryptoCreate and CryptoUpdate have their delegation address. */
const delegationAddresses: Readonly<Record<number, number>> = { 11: 20, 15: 21 };

// The tag of the field; looked for before the body is gone through, since hardly any transaction has it.
const highVolumeTag = Buffer.of(0xd0, 0x3e);

/** null for a transaction that did not ask for the lane. */
export function readHighVolume(bodyBytes: Buffer, recordBytes: Buffer): HighVolume | null {
  if (!bodyBytes.includes(highVolumeTag)) return null;
  const asked = lastVarint(bodyBytes, bodyHighVolume);
  return asked ? { pricingMultiplier: lastVarint(recordBytes, recordMultiplier) } : null;
}

/** Of a raw Transaction that creates or updates an account; null when it does not speak of a delegation. */
export function readDelegationAddress(transactionBytes: Buffer): Buffer | null {
  const { bodyBytes } = splitTransaction(transactionBytes);
  let found: Buffer | null = null;
  visitWireFields(bodyBytes, (data, wireType, start, end) => {
    const field = wireType === wireBytes ? delegationAddresses[data] : undefined;
    if (field === undefined) return;
    const message = bodyBytes.subarray(start, end);
    visitWireFields(message, (number, kind, from, to) => {
      if (number === field && kind === wireBytes) found = message.subarray(from, to);
    });
  });
  return found;
}

function lastVarint(message: Buffer, wanted: number): bigint | null {
  let value: bigint | null = null;
  visitWireFields(message, (number, wireType, start) => {
    if (number === wanted && wireType === wireVarint) value = readVarint64(message, start);
  });
  return value;
}
