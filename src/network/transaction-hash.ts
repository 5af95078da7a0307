// The hash of a transaction: of the bytes that were submitted, or, where the transaction says so itself, of the older form
// of a message around the same body and signatures.
import { createHash } from 'node:crypto';
import { readVarint64, visitWireFields, wireVarint } from '../protocol/wire-fields.ts';
import { bytesField } from '../protocol/wire-writer.ts';

/** One transaction in so many has a hash of the older form. */
const olderFormEvery = 8;
/** Fields of SignedTransaction, and those of Transaction that take the same. */
const [bodyBytes, sigMap, usesOlderForm] = [1, 2, 3];
const older = { sigMap: 3, bodyBytes: 4 };

/** Whether a transaction of this body asks for the older form; by its bytes, so that it is the same in every format. */
export function asksForOlderHash(body: Uint8Array): boolean {
  return createHash('sha384').update(body).digest()[0]! % olderFormEvery === 0;
}

/** SHA-384 of a SignedTransaction, or of Transaction{sigMap, bodyBytes}. */
export function transactionHash(signedTransaction: Uint8Array): Buffer {
  const { length } = signedTransaction;
  const bytes = Buffer.from(signedTransaction.buffer, signedTransaction.byteOffset, length);
  const fields = new Map<number, Buffer>();
  let isOlder = false;
  visitWireFields(bytes, (number, wireType, start, end) => {
    if (number === usesOlderForm && wireType === wireVarint) isOlder = readVarint64(bytes, start) !== 0n;
    else fields.set(number, bytes.subarray(start, end));
  });
  const sha384 = createHash('sha384');
  if (!isOlder) return sha384.update(bytes).digest();
  const parts = [
    [older.sigMap, fields.get(sigMap)],
    [older.bodyBytes, fields.get(bodyBytes)],
  ] as const;
  for (const [number, part] of parts) if (part) for (const piece of bytesField(number, part)) sha384.update(piece);
  return sha384.digest();
}
