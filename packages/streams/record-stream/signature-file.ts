// Signature files of every generation: a node's hashes of a stream file, and its signatures over them. The signed
// message is the 48-byte hash itself, under SHA384withRSA. Layout only: nothing is verified.
import { createByteReader } from '../../protocol/byte-reader.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { sha384Length } from '../../protocol/sha384.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { readHashObject } from './hash-object.ts';

export type SignedHash = { hash: Buffer; signature: Buffer };

export type SignatureFile = {
  /** 2 for record files v1 and v2, 5, 6. */
  version: number;
  file: SignedHash;
  /** null in version 2. */
  metadata: SignedHash | null;
};

const maxSignatureLength = 384;
export const signatureClassId = 0x13dc4b399b245c69n;
/** SHA384withRSA, in v5 and v6 alike. */
export const signatureType = 1;
export const objectStreamVersion = 1;
/** v5 stores this minus the signature's length beside the length. */
export const lengthChecksum = 101;
export const v2HashMarker = 4;
export const v2SignatureMarker = 3;

const readers: Record<number, (bytes: Buffer) => SignatureFile> = {
  [v2HashMarker]: readSignatureFileV2,
  5: readSignatureFileV5,
  6: readSignatureFileV6,
};

/** Throws StreamFileError if the bytes are no signature file. */
export function readSignatureFile(bytes: Buffer): SignatureFile {
  const first = bytes[0];
  if (first === undefined) throw new StreamFileError('truncated', 'signature file', 'a version byte', '0 bytes');
  const read = readers[first];
  if (!read) throw new StreamFileError('unsupported', 'signature file version', '4, 5 or 6', `${first}`);
  return read(bytes);
}

function readSignatureFileV2(bytes: Buffer): SignatureFile {
  const reader = createByteReader(bytes);
  reader.expectByte(v2HashMarker, 'marker of the file hash');
  const hash = reader.bytes(sha384Length, 'file hash');
  reader.expectByte(v2SignatureMarker, 'marker of the signature');
  const signature = checkLength(reader.lengthPrefixed('signature'), 'signature');
  reader.end('signature file');
  return { version: 2, file: { hash, signature }, metadata: null };
}

function readSignatureFileV5(bytes: Buffer): SignatureFile {
  const reader = createByteReader(bytes);
  reader.expectByte(5, 'signature file version');
  reader.expectInt32(objectStreamVersion, 'object stream version');
  function signedHash(name: string): SignedHash {
    const hash = readHashObject(reader, `${name} hash`);
    const part = `${name} signature`;
    reader.expectInt64(signatureClassId, `class id of ${part}`);
    reader.expectInt32(1, `class version of ${part}`);
    reader.expectInt32(signatureType, `type of ${part}`);
    const length = reader.int32(`length of ${part}`);
    reader.expectInt32(lengthChecksum - length, `length checksum of ${part}`);
    return { hash, signature: checkLength(reader.bytes(length, part), part) };
  }
  const file = signedHash('file');
  const metadata = signedHash('metadata');
  reader.end('signature file');
  return { version: 5, file, metadata };
}

function readSignatureFileV6(bytes: Buffer): SignatureFile {
  let message: proto.SignatureFile;
  try {
    message = proto.SignatureFile.decode(bytes.subarray(1));
  } catch (error) {
    throw new StreamFileError('truncated', 'signature file', 'a whole protobuf message', String(error));
  }
  return {
    version: 6,
    file: toSignedHash(message.fileSignature, 'file signature'),
    metadata: toSignedHash(message.metadataSignature, 'metadata signature'),
  };
}

function toSignedHash(object: proto.ISignatureObject | null | undefined, part: string): SignedHash {
  if (!object) throw new StreamFileError('malformed', 'signature file', part, 'nothing');
  if (object.type !== signatureType) {
    throw new StreamFileError(
      'unsupported',
      `type of ${part}`,
      `${signatureType} (SHA_384_WITH_RSA)`,
      `${object.type}`,
    );
  }
  const hash = object.hashObject?.hash ?? Buffer.alloc(0);
  if (hash.length !== sha384Length) {
    throw new StreamFileError('malformed', `hash of ${part}`, `${sha384Length} bytes`, `${hash.length} bytes`);
  }
  const signature = checkLength((object.signature ?? Buffer.alloc(0)) as Buffer, part);
  return { hash: hash as Buffer, signature };
}

function checkLength(signature: Buffer, part: string): Buffer {
  if (signature.length > 0 && signature.length <= maxSignatureLength) return signature;
  throw new StreamFileError('malformed', part, `1 to ${maxSignatureLength} bytes`, `${signature.length} bytes`);
}
