// Signature file v6: a version byte and one protobuf message with the signatures of file hash and metadata hash.

import { bytesField, intField, messageField, type WireField } from '../../protocol/wire-writer.ts';
import { lengthChecksum, type SignedHash, signatureType } from '../../streams/record-stream/signature-file.ts';

export function writeSignatureFileV6(file: SignedHash, metadata: SignedHash): Buffer {
  return Buffer.concat([
    Buffer.of(6),
    ...[...signatureMessageField(1, file), ...signatureMessageField(2, metadata)].flat(),
  ]);
}

function signatureMessageField(number: number, { hash, signature }: SignedHash): WireField {
  const hashObject = messageField(5, [intField(1, 1), intField(2, hash.length), bytesField(3, hash)]);
  return messageField(number, [
    intField(1, signatureType),
    intField(2, signature.length),
    intField(3, lengthChecksum - signature.length),
    bytesField(4, signature),
    hashObject,
  ]);
}
