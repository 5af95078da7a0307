// Reads one node's copy of a sidecar file, compressed or not: whoever unpacked a folder unpacked its sidecars too.
import { gunzip } from '../../protocol/gunzip.ts';
import { readSidecarFile, type SidecarFile } from '../../protocol/record-stream/sidecar-file.ts';
import { type StreamFileCopy, type StreamSource, StreamSourceError } from '../../source/stream-source.ts';

/** `bytes`: without compression. */
export type ReadSidecarCopy = SidecarFile & { name: string; bytes: Buffer; sizeBytes: number };

/** @param name of the compressed file. Throws StreamSourceError and StreamFileError. */
export async function readSidecarCopy(
  source: StreamSource,
  copy: StreamFileCopy,
  name: string,
): Promise<ReadSidecarCopy> {
  try {
    const stored = await source.read(copy, { kind: 'sidecar', name });
    const bytes = gunzip(stored, 'sidecar file');
    return { ...readSidecarFile(bytes), name, bytes, sizeBytes: stored.length };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const plainName = name.replace(/\.gz$/, '');
    const stored = await source.read(copy, { kind: 'sidecar', name: plainName }).catch((plainError: unknown) => {
      throw isMissing(plainError) ? error : plainError;
    });
    return { ...readSidecarFile(stored), name: plainName, bytes: stored, sizeBytes: stored.length };
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof StreamSourceError && error.code === 'missing';
}
