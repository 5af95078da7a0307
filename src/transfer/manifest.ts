// The list of an export's files: `filename,row_count,file_size,blake3_hash` (docs/reference/exports.md).
import { TransferError } from './transfer-error.ts';

export type ManifestFile = {
  /** As it is written there; see `toExportFile`. */
  name: string;
  /** null = it is not said. */
  rows: number | null;
  /** Of the compressed file; null = it is not said. */
  sizeBytes: number | null;
  /** Of the compressed bytes, hex; null = it is not said. */
  hash: string | null;
};

export const manifestName = 'manifest.csv';
export const versionName = 'MIRRORNODE_VERSION.gz';
export const schemaName = 'schema.sql.gz';

const columns = ['filename', 'row_count', 'file_size', 'blake3_hash'] as const;

/** Columns in any order; throws TransferError with the line that cannot be read. */
export function parseManifest(text: string): ManifestFile[] {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const header = splitLine(lines[0]!).map((name) => name.toLowerCase());
  const places = columns.map((name) => header.indexOf(name));
  if (places[0] === -1) throw new TransferError(`${manifestName} does not begin with ${columns.join(',')}`);
  const files: ManifestFile[] = [];
  for (const [index, line] of lines.entries()) {
    if (index === 0 || line.trim() === '') continue;
    const fields = splitLine(line);
    const [name, rows, size, hash] = places.map((place) => (place === -1 ? '' : (fields[place] ?? '')));
    if (fields.length !== header.length || name === '' || name!.length > maxNameLength) throw unreadable(index, line);
    files.push({
      name: name!,
      rows: readCount(rows!, index, line),
      sizeBytes: readCount(size!, index, line),
      hash: readHash(hash!, index, line),
    });
  }
  return files;
}

const maxNameLength = 500;

/** Names and numbers have neither commas nor quotes inside. */
function splitLine(line: string): string[] {
  return line.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
}

function readCount(text: string, index: number, line: string): number | null {
  if (text === '' || /^n\/a$/i.test(text)) return null;
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw unreadable(index, line);
}

function readHash(text: string, index: number, line: string): string | null {
  if (text === '' || /^n\/a$/i.test(text)) return null;
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw unreadable(index, line);
}

function unreadable(index: number, line: string): TransferError {
  return new TransferError(`Line ${index + 1} of ${manifestName} cannot be read: ${line.slice(0, 200)}`);
}

export function formatManifest(files: readonly ManifestFile[]): string {
  const lines = files.map(({ name, rows, sizeBytes, hash }) =>
    [name, rows ?? 'N/A', sizeBytes ?? '', hash ?? ''].join(','),
  );
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}
