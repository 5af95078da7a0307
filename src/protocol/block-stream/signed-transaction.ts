// A SignedTransaction of a block: its parts, and the Transaction as submitted, whose hash is the transaction hash.
import { transactionType } from '../hapi/transaction-body.ts';
import { sha384 } from '../sha384.ts';
import { StreamFileError } from '../stream-file-error.ts';
import { noBytes, readVarint64, visitWireFields, wireBytes, wireVarint } from '../wire-fields.ts';
import { bytesField } from '../wire-writer.ts';

export type SignedTransaction = {
  /** Serialized Transaction, as record files have it. */
  bytes: Buffer;
  bodyBytes: Buffer;
  /** Field number of the body's `data` oneof, 0 when there is none. */
  type: number;
  /** SHA-384. */
  hash: Buffer;
};

// Fields of SignedTransaction.
const bodyField = 1;
const signatureMapField = 2;
const usesTransactionHashField = 3;

/**
 * Serialized SignedTransaction → its parts. One that was sent as body bytes and signature map has the hash of that
 * Transaction; any other has the hash of its bytes. Bytes that are no such message make a transaction without a body.
 */
export function openSignedTransaction(signed: Buffer): SignedTransaction {
  let bodyBytes: Buffer = noBytes;
  let signatureMap: Buffer | null = null;
  let usesTransactionHash = false;
  let type = 0;
  try {
    visitWireFields(signed, (number, wireType, start, end) => {
      if (number === bodyField && wireType === wireBytes) bodyBytes = signed.subarray(start, end);
      else if (number === signatureMapField && wireType === wireBytes) signatureMap = signed.subarray(start, end);
      else if (number === usesTransactionHashField && wireType === wireVarint) {
        usesTransactionHash = readVarint64(signed, start) !== 0n;
      }
    });
    type = transactionType(bodyBytes);
  } catch (error) {
    if (!(error instanceof StreamFileError)) throw error;
    [bodyBytes, usesTransactionHash] = [noBytes, false];
  }
  if (!usesTransactionHash)
    return { bytes: Buffer.concat(bytesField(5, signed)), bodyBytes, type, hash: sha384(signed) };
  const fields = [signatureMap === null ? [] : bytesField(3, signatureMap), bytesField(4, bodyBytes)];
  const bytes = Buffer.concat(fields.flat());
  return { bytes, bodyBytes, type, hash: sha384(bytes) };
}
