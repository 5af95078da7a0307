// Decodes the signature map of a transaction. A signature of an unknown type is kept, with its field number as type.
import { noBytes, visitWireFields, wireBytes } from '../wire-fields.ts';

export type SignaturePair = {
  publicKeyPrefix: Buffer;
  signature: Buffer;
  /** Field number of the SignaturePair oneof: 2 contract, 3 ed25519, 4 RSA_3072, 5 ECDSA_384, 6 ECDSA secp256k1. */
  type: number;
};

/** Serialized SignatureMap → its pairs in order; pairs without any signature are left out. Throws StreamFileError. */
export function decodeSignatureMap(bytes: Buffer): SignaturePair[] {
  const pairs: SignaturePair[] = [];
  visitWireFields(bytes, (number, wireType, start, end) => {
    if (number !== 1 || wireType !== wireBytes) return;
    const pair = decodeSignaturePair(bytes.subarray(start, end));
    if (pair) pairs.push(pair);
  });
  return pairs;
}

function decodeSignaturePair(bytes: Buffer): SignaturePair | null {
  const pair: SignaturePair = { publicKeyPrefix: noBytes, signature: noBytes, type: 0 };
  visitWireFields(bytes, (number, wireType, start, end) => {
    if (wireType !== wireBytes) return;
    const value = bytes.subarray(start, end);
    if (number === 1) pair.publicKeyPrefix = value;
    else {
      pair.signature = value;
      pair.type = number;
    }
  });
  return pair.type === 0 ? null : pair;
}
