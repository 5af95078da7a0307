// Signature files of versions 2 and 5, which only tests write.
import { int32s, writeHashObject } from '../../streams/record-stream/hash-object.ts';
import {
  lengthChecksum,
  objectStreamVersion,
  type SignedHash,
  signatureClassId,
  signatureType,
  v2HashMarker,
  v2SignatureMarker,
} from '../../streams/record-stream/signature-file.ts';

export function writeSignatureFileV2(file: SignedHash): Buffer {
  return Buffer.concat([
    Buffer.of(v2HashMarker),
    file.hash,
    Buffer.of(v2SignatureMarker),
    int32s(file.signature.length),
    file.signature,
  ]);
}

export function writeSignatureFileV5(file: SignedHash, metadata: SignedHash): Buffer {
  return Buffer.concat([
    Buffer.of(5),
    int32s(objectStreamVersion),
    writeHashObject(file.hash),
    writeSignatureObject(file.signature),
    writeHashObject(metadata.hash),
    writeSignatureObject(metadata.signature),
  ]);
}

function writeSignatureObject(signature: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeBigInt64BE(signatureClassId);
  const numbers = int32s(1, signatureType, signature.length, lengthChecksum - signature.length);
  return Buffer.concat([header, numbers, signature]);
}
