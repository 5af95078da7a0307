// A SignedTransaction of a block: its parts, and the Transaction as submitted, whose hash is the transaction hash.
import {
  type DecodedBody,
  decodeTransactionBody,
  type TransactionBody,
  transactionType,
} from '../../protocol/hapi/transaction-body.ts';
import { sha384 } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import {
  createWireCursor,
  nextWireField,
  noBytes,
  readVarint64,
  wireBytes,
  wireVarint,
} from '../../protocol/wire-fields.ts';
import { bytesField, joinedBytesField } from '../../protocol/wire-writer.ts';

export type SignedTransaction = {
  /** The SignedTransaction as it stands in the block. */
  signed: Buffer;
  bodyBytes: Buffer;
  /** Serialized SignatureMap; null without one. */
  signatureMap: Buffer | null;
  /** It was sent as body bytes and signature map: the hash is that of this Transaction. */
  usesTransactionHash: boolean;
  /** Field number of the body's `data` oneof, 0 when there is none. */
  type: number;
  /** Why the bytes are no such message; it then has no body. */
  problem: string | null;
  /** See `bodyOf`. */
  decoded: ReadBody | null;
};

/** `body` null: not even the rest around its `data` can be decoded. */
type ReadBody = Omit<DecodedBody, 'body'> & { body: TransactionBody | null };

// Fields of SignedTransaction.
const bodyField = 1;
const signatureMapField = 2;
const usesTransactionHashField = 3;

/** Serialized SignedTransaction → its parts. Bytes that are no such message make a transaction without a body. */
export function openSignedTransaction(signed: Buffer): SignedTransaction {
  let bodyBytes: Buffer = noBytes;
  let signatureMap: Buffer | null = null;
  let usesTransactionHash = false;
  let type = 0;
  let problem: string | null = null;
  try {
    const field = createWireCursor(signed);
    while (nextWireField(field)) {
      const { number, wireType, start, end } = field;
      if (number === bodyField && wireType === wireBytes) bodyBytes = signed.subarray(start, end);
      else if (number === signatureMapField && wireType === wireBytes) signatureMap = signed.subarray(start, end);
      else if (number === usesTransactionHashField && wireType === wireVarint) {
        usesTransactionHash = readVarint64(signed, start) !== 0n;
      }
    }
    type = transactionType(bodyBytes);
  } catch (error) {
    if (!(error instanceof StreamFileError)) throw error;
    problem = error.message;
    [bodyBytes, signatureMap, usesTransactionHash] = [noBytes, null, false];
  }
  return { signed, bodyBytes, signatureMap, usesTransactionHash, type, problem, decoded: null };
}

/** Its body, decoded at the first call. */
export function bodyOf(transaction: SignedTransaction): ReadBody {
  transaction.decoded ??= decodeBody(transaction);
  return transaction.decoded;
}

function decodeBody({ bodyBytes, type, problem }: SignedTransaction): ReadBody {
  if (problem !== null) return { body: null, type: 0, problem };
  try {
    return decodeTransactionBody(bodyBytes, type);
  } catch (error) {
    return { body: null, type: 0, problem: (error as Error).message };
  }
}

/** Serialized Transaction, as record files have it. */
export function submittedBytes({ signed, bodyBytes, signatureMap, usesTransactionHash }: SignedTransaction): Buffer {
  if (!usesTransactionHash) return joinedBytesField(5, signed);
  return Buffer.concat([signatureMap === null ? [] : bytesField(3, signatureMap), bytesField(4, bodyBytes)].flat());
}

/** SHA-384. Of most transactions, of their bytes in the block. */
export function transactionHash(transaction: SignedTransaction, submitted: Buffer): Buffer {
  return sha384(transaction.usesTransactionHash ? submitted : transaction.signed);
}
