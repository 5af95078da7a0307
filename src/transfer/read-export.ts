// What lies in a place, as an export: its version, and every file with what the manifest says of it.

import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { FilePlace } from '../../packages/sources/places/file-place.ts';
import { baseName, type ExportName, parseExportName } from './export-names.ts';
import { type ManifestFile, manifestName, parseManifest, versionName } from './manifest.ts';
import { TransferError } from './transfer-error.ts';

export type ExportFile = ExportName & {
  /** The same whatever form the manifest has. */
  name: string;
  /** In the place; null = the manifest names it, and it is not there. */
  path: string | null;
  /** As it lies there. */
  sizeBytes: number;
  /** Of the manifest. */
  expected: Pick<ManifestFile, 'rows' | 'sizeBytes' | 'hash'>;
};

export type Export = {
  version: string | null;
  files: ExportFile[];
  /** Files of tables that the manifest does not name: nothing vouches for them. */
  unlisted: string[];
};

const maxManifestBytes = 64 * 1024 * 1024;

/** Throws TransferError. */
export async function readExport(place: FilePlace, signal?: AbortSignal): Promise<Export> {
  const placed = await place.list(signal);
  const manifestFile = placed.find(({ path }) => path === manifestName);
  if (!manifestFile) throw noExport(place.name, placed.length);
  if (manifestFile.sizeBytes > maxManifestBytes) {
    throw new TransferError(
      `${manifestName} of ${place.name} has ${manifestFile.sizeBytes} bytes, at most ${maxManifestBytes} are read`,
    );
  }
  const manifest = parseManifest((await readWhole(place, manifestName, signal)).toString());
  const tables = placed.filter(({ path }) => path.endsWith('.csv.gz'));
  const paths = new Map(tables.map((file) => [baseName(file.path), file]));
  const files = new Map<string, ExportFile>();
  for (const entry of manifest) {
    const name = baseName(entry.name);
    const parsed = parseExportName(entry.name);
    // The manifest names version and schema too.
    if (!parsed || !/\.csv(\.gz)?$|^[^.]*$/.test(entry.name)) continue;
    if (files.has(name)) throw new TransferError(`${manifestName} of ${place.name} names ${name} twice`);
    const found = paths.get(name);
    const { rows, sizeBytes, hash } = entry;
    files.set(name, {
      ...parsed,
      name,
      path: found?.path ?? null,
      sizeBytes: found?.sizeBytes ?? sizeBytes ?? 0,
      expected: { rows, sizeBytes, hash },
    });
  }
  const unlisted = [...paths].filter(([name]) => !files.has(name)).map(([, { path }]) => path);
  const hasVersion = placed.some(({ path }) => path === versionName);
  return { version: hasVersion ? await readVersion(place, signal) : null, files: [...files.values()], unlisted };
}

function noExport(name: string, count: number): TransferError {
  const found = count === 0 ? 'is empty, or does not exist' : 'has no manifest.csv';
  return new TransferError(
    `${name} ${found}. An export is a folder, or a bucket with a prefix, with a manifest.csv: gs://mirrornode-db-export/<NETWORK>/<version>, or what "export" wrote.`,
  );
}

async function readWhole(place: FilePlace, path: string, signal?: AbortSignal): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of place.read(path, { signal })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function readVersion(place: FilePlace, signal?: AbortSignal): Promise<string> {
  let text = '';
  await pipeline(place.read(versionName, { signal }), createGunzip(), async (chunks) => {
    for await (const chunk of chunks) {
      text += chunk;
      if (text.length > 1000) throw new TransferError(`${versionName} of ${place.name} is no version`);
    }
  });
  return text.trim();
}
