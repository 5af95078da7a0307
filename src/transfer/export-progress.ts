// What of an export is written already, in the place itself: an interrupted one is continued.
import type { FilePlace } from '../../packages/sources/places/file-place.ts';
import type { WriteResult } from './write-thread.ts';

export type WrittenFile = WriteResult & {
  path: string;
  table: string;
  month: string | null;
  /** Consensus end of the last block that it may show, ns. */
  until: string;
};

export type ExportProgressFile = { mode: string; files: WrittenFile[] };

export const progressName = 'export-progress.json';

/** null = nothing was begun, or what it says cannot be read: then everything is written again. */
export async function readExportProgress(place: FilePlace): Promise<ExportProgressFile | null> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of place.read(progressName)) chunks.push(chunk);
  try {
    const { mode, files } = JSON.parse(Buffer.concat(chunks).toString()) as ExportProgressFile;
    return typeof mode === 'string' && Array.isArray(files) ? { mode, files } : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

export async function writeExportProgress(place: FilePlace, progress: ExportProgressFile): Promise<void> {
  await place.write(progressName, oneChunk(JSON.stringify(progress)));
}

export async function* oneChunk(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === 'string' ? Buffer.from(text) : text;
}
