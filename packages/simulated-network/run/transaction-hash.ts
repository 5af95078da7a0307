// A submitted transaction and its hash: of the signed bytes, or, if the transaction asks for it, of the older form of a
// message with the same body and signatures.
import { createHash } from 'node:crypto';
import { readVarint64, visitWireFields, wireVarint } from '../../protocol/wire-fields.ts';
import { bytesField } from '../../protocol/wire-writer.ts';

/** One transaction in this many has a hash of the older form. */
const olderFormEvery = 8;
/** Fields of SignedTransaction, and their equals in Transaction. */
const [bodyBytes, sigMap, usesOlderForm] = [1, 2, 3];
const older = { sigMap: 3, bodyBytes: 4 };
const newer = { signedTransaction: 5 };

/** Whether a transaction of this body asks for the older form; decided by its bytes, so the same in every format. */
export function asksForOlderHash(body: Uint8Array): boolean {
  return sha384(body)[0]! % olderFormEvery === 0;
}

/** The submitted transaction as record files have it, and its hash. */
export type SubmittedTransaction = { transaction: Buffer; hash: Buffer };

/**
 * Transaction{signedTransactionBytes} with the hash of these bytes, or Transaction{sigMap, bodyBytes} with its hash.
 */
export function toSubmittedTransaction(signedTransaction: Uint8Array): SubmittedTransaction {
  const { length } = signedTransaction;
  const bytes = Buffer.from(signedTransaction.buffer, signedTransaction.byteOffset, length);
  const fields = new Map<number, Buffer>();
  let isOlder = false;
  visitWireFields(bytes, (number, wireType, start, end) => {
    if (number === usesOlderForm && wireType === wireVarint) isOlder = readVarint64(bytes, start) !== 0n;
    else fields.set(number, bytes.subarray(start, end));
  });
  if (!isOlder) return { transaction: Buffer.concat(bytesField(newer.signedTransaction, bytes)), hash: sha384(bytes) };
  const parts = [
    [older.sigMap, fields.get(sigMap)],
    [older.bodyBytes, fields.get(bodyBytes)],
  ] as const;
  const transaction = Buffer.concat(parts.flatMap(([number, part]) => (part ? bytesField(number, part) : [])));
  return { transaction, hash: sha384(transaction) };
}

function sha384(bytes: Uint8Array): Buffer {
  return createHash('sha384').update(bytes).digest();
}
