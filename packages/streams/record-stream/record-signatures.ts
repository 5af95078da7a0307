// The signatures of a record file, of any nodes: those in signature files that name its hashes. Whether they are good
// is not looked at.
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import type { RecordFile } from './raw-record-file.ts';
import { readSignatureFile, type SignatureFile } from './signature-file.ts';

/** Of the file hash, and of the metadata hash. */
export type RecordSignatures = { file: Buffer[]; metadata: Buffer[] };

/** Signature files that cannot be read, or are of another file, count as absent. */
export function readRecordSignatures(
  { fileHash, metadataHash }: Pick<RecordFile, 'fileHash' | 'metadataHash'>,
  signatureFiles: readonly Buffer[],
): RecordSignatures {
  const signatures: RecordSignatures = { file: [], metadata: [] };
  for (const signed of signatureFiles.map(readOrNull)) {
    if (signed?.file.hash.equals(fileHash)) signatures.file.push(signed.file.signature);
    if (metadataHash && signed?.metadata?.hash.equals(metadataHash))
      signatures.metadata.push(signed.metadata.signature);
  }
  return signatures;
}

function readOrNull(bytes: Buffer): SignatureFile | null {
  try {
    return readSignatureFile(bytes);
  } catch (error) {
    if (error instanceof StreamFileError) return null;
    throw error;
  }
}
