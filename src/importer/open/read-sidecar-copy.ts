// Reads one node's copy of a sidecar file, compressed or not: whoever unpacked a folder unpacked its sidecars too.
import { gunzip } from '../../protocol/gunzip.ts';
import { readSidecarFile, type SidecarFile } from '../../protocol/record-stream/sidecar-file.ts';
import { type StreamFileCopy, type StreamSource, StreamSourceError } from '../../source/stream-source.ts';

export type ReadSidecarCopy = SidecarFile & { name: string; sizeBytes: number };

/** @param name of the compressed file. Throws StreamSourceError and StreamFileError. */
export async function readSidecarCopy(
  source: StreamSource,
  copy: StreamFileCopy,
  name: string,
): Promise<ReadSidecarCopy> {
  try {
    const stored = await source.read(copy, { kind: 'sidecar', name });
    return { ...readSidecarFile(gunzip(stored, 'sidecar file')), name, sizeBytes: stored.length };
  } catch (error) {
    if (!isMissing(error)) throw error;
    const plainName = name.replace(/\.gz$/, '');
    const stored = await source.read(copy, { kind: 'sidecar', name: plainName }).catch((plainError: unknown) => {
      throw isMissing(plainError) ? error : plainError;
    });
    return { ...readSidecarFile(stored), name: plainName, sizeBytes: stored.length };
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof StreamSourceError && error.code === 'missing';
}
