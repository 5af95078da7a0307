// The first rows of a file, as they would be loaded.
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FilePlace } from '../../packages/sources/places/file-place.ts';
import type { LoadSample } from '../../packages/store/transfer/measure-load.ts';
import type { ChosenFile } from './choose-files.ts';
import { keepColumns } from './keep-columns.ts';
import { matchColumns } from './match-columns.ts';
import { splitHeader } from './split-header.ts';

export type TakenSample = LoadSample & {
  /** Of the compressed file, that the text came from; about. */
  packedBytes: number;
  readSeconds: number;
};

const sampleBytes = 8_000_000;

/** null = it has no rows, or cannot be read; that is reported when it is loaded. */
export async function takeSample(
  place: FilePlace,
  { table, path, described, sizeBytes }: ChosenFile,
  signal?: AbortSignal,
): Promise<TakenSample | null> {
  let packedBytes = 0;
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of place.read(path!, { signal })) {
      packedBytes += chunk.length;
      yield chunk;
    }
  }
  const startedMs = performance.now();
  const source = Readable.from(counted());
  const gunzip = createGunzip();
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    const { columns: header, rows } = await splitHeader(gunzip);
    const { columns, kept } = matchColumns(described, header);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of kept.every(Boolean) ? rows : keepColumns(rows, kept)) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > sampleBytes) break;
    }
    const text = wholeRows(Buffer.concat(chunks));
    // Streams read ahead: of a small file all is read at once.
    const usedBytes = Math.min(packedBytes, sizeBytes);
    return text.length === 0
      ? null
      : { table, columns, text, packedBytes: usedBytes, readSeconds: (performance.now() - startedMs) / 1000 };
  } catch (error) {
    signal?.throwIfAborted();
    if ((error as Error).name === 'StreamSourceError') throw error;
    return null;
  } finally {
    gunzip.on('error', () => {});
    source.destroy();
    gunzip.destroy();
  }
}

/** Up to the last line end that is not within quotes. */
function wholeRows(text: Buffer): Buffer {
  let isQuoted = false;
  let end = 0;
  for (let place = 0; place < text.length; place++) {
    if (text[place] === 0x22) isQuoted = !isQuoted;
    else if (text[place] === 0x0a && !isQuoted) end = place + 1;
  }
  return text.subarray(0, end);
}
