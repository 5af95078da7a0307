// Finds the body and the signatures within a raw Transaction message, in each of the ledger's three forms.
import { createWireCursor, nextWireField, noBytes, wireBytes } from '../../protocol/wire-fields.ts';

export type SplitTransaction = {
  /** Serialized TransactionBody. */
  bodyBytes: Buffer;
  /** Serialized SignatureMap; empty without one. */
  signatureMapBytes: Buffer;
};

// Fields of Transaction.
const inlineBody = 1;
const outerSignatureMap = 3;
const outerBodyBytes = 4;
const signedTransactionBytes = 5;
// Fields of SignedTransaction.
const innerBodyBytes = 1;
const innerSignatureMap = 2;

/** The newest form present wins: signedTransactionBytes, bodyBytes, body. Throws StreamFileError. */
export function splitTransaction(transaction: Buffer): SplitTransaction {
  const outer = bytesFields(transaction);
  const signed = outer[signedTransactionBytes];
  if (signed && signed.length > 0) {
    const inner = bytesFields(signed);
    return {
      bodyBytes: inner[innerBodyBytes] ?? noBytes,
      signatureMapBytes: inner[innerSignatureMap] ?? noBytes,
    };
  }
  const plain = outer[outerBodyBytes];
  return {
    bodyBytes: plain && plain.length > 0 ? plain : (outer[inlineBody] ?? noBytes),
    signatureMapBytes: outer[outerSignatureMap] ?? noBytes,
  };
}

// Sub-messages and byte fields by number, as far as the messages above need; the last of a number wins.
function bytesFields(message: Buffer): (Buffer | undefined)[] {
  const fields: (Buffer | undefined)[] = new Array(signedTransactionBytes + 1);
  const field = createWireCursor(message);
  while (nextWireField(field)) {
    const { number, wireType, start, end } = field;
    if (wireType === wireBytes && number <= signedTransactionBytes) fields[number] = message.subarray(start, end);
  }
  return fields;
}
