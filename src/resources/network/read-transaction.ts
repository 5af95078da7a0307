// The transaction in the body of a request, as far as its price depends on it.

import { decodeSignatureMap } from '../../../packages/protocol/hapi/decode-signature-map.ts';
import { decodeTransactionBody } from '../../../packages/protocol/hapi/transaction-body.ts';
import { findTransactionType } from '../../../packages/protocol/hapi/transaction-types.ts';
import { visitWireFields, wireBytes } from '../../../packages/protocol/wire-fields.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { PricedTransaction } from '../../ledger/network/estimate-fee.ts';

/** Throws RequestError. */
export function readTransaction(bytes: Buffer): PricedTransaction {
  try {
    return readParts(bytes);
  } catch (error) {
    if (error instanceof Error && error.name === 'RequestError') throw error;
    throw refuse('unreadableTransaction');
  }
}

// Field numbers of Transaction and of SignedTransaction.
const transactionFields = { sigMap: 3, bodyBytes: 4, signedTransactionBytes: 5 };
const signedFields = { bodyBytes: 1, sigMap: 2 };

function readParts(bytes: Buffer): PricedTransaction {
  const outer = fieldsOf(bytes);
  const signed = outer.get(transactionFields.signedTransactionBytes);
  const inner = signed && fieldsOf(signed);
  const body = inner ? inner.get(signedFields.bodyBytes) : outer.get(transactionFields.bodyBytes);
  const sigMap = inner ? inner.get(signedFields.sigMap) : outer.get(transactionFields.sigMap);
  if (!body || body.length === 0) throw refuse('transactionWithoutBody');
  const decoded = decodeTransactionBody(body);
  if (!findTransactionType(decoded.type)) throw refuse('unknownTransactionType');
  if (decoded.problem !== null) throw refuse('unreadableTransaction');
  return {
    type: decoded.type,
    body: decoded.body,
    signatures: sigMap ? decodeSignatureMap(sigMap).length : 0,
    sizeBytes: bytes.length,
  };
}

/** The last of each. */
function fieldsOf(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  visitWireFields(bytes, (number, wireType, start, end) => {
    if (wireType === wireBytes) fields.set(number, bytes.subarray(start, end));
  });
  return fields;
}
