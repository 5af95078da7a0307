// The parquet files of an export by table. Sourcify writes `v2/<table>/<table>_<first row>_<end>.parquet`, before that
// `<table>/<table>_<first row>_<end>_zstd.parquet` with a `manifest.json` beside the folders. Some download all files
// into one folder.
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isJsonObject } from '../../../kit/is-json-object.ts';
import { parseModestJson } from '../../terms/modest-json.ts';

/** Tables that say what a match was compiled from. The code on the chain is the mirror's own. */
const tableNames = [
  'contract_deployments',
  'verified_contracts',
  'compiled_contracts',
  'compiled_contracts_sources',
  'sources',
] as const;
export type TableName = (typeof tableNames)[number];

export type TableFiles = { folder: string; files: Record<TableName, string[]> };

/** null = no such file here. `onProblem`: of files that are named and not there, or no usual files. */
export function findTableFiles(folder: string, onProblem: (sentence: string) => void): TableFiles | null {
  const files: TableFiles['files'] = {
    contract_deployments: [],
    verified_contracts: [],
    compiled_contracts: [],
    compiled_contracts_sources: [],
    sources: [],
  };
  const found = new Set<string>();
  for (const place of [folder, join(folder, 'v2')]) {
    for (const inside of ['', ...tableNames]) {
      for (const path of parquetFilesIn(join(place, inside))) {
        const table = tableOf(path);
        if (table === null) continue;
        found.add(basename(path));
        if (lstatSync(path).isFile()) files[table].push(path);
        else onProblem(`${path} is no regular file; links are not followed.`);
      }
    }
  }
  if (found.size === 0) return null;
  for (const table of tableNames) files[table].sort();
  reportMissing(join(folder, 'manifest.json'), found, onProblem);
  return { folder, files };
}

function parquetFilesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.parquet'))
      .map((name) => join(folder, name));
  } catch {
    // No such folder in this layout.
    return [];
  }
}

/** `sources_0_10000.parquet`, `sources_0_10000_zstd.parquet` and `sources.parquet` are of the table `sources`. */
function tableOf(path: string): TableName | null {
  const name = /^([a-z_]*[a-z])(?:_\d+_\d+)?(?:_(?:zstd|snappy|gzip|brotli|lz4|none))?\.parquet$/.exec(
    basename(path),
  )?.[1];
  const bare = name?.replace(/_(?:zstd|snappy|gzip|brotli|lz4|none)$/, '');
  return tableNames.find((table) => table === bare) ?? null;
}

const maxManifestBytes = 16_000_000;

/** The manifest of the earlier layout: `{ "files": { "<table>": ["<table>/<file>", …] } }`. */
function reportMissing(path: string, found: ReadonlySet<string>, onProblem: (sentence: string) => void): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return;
  try {
    if (!stat.isFile() || stat.size > maxManifestBytes) throw new Error('it is no file of a usual size');
    const manifest = parseModestJson(readFileSync(path, 'utf8'));
    if (!isJsonObject(manifest) || !isJsonObject(manifest.files)) throw new Error('it has no member "files"');
    for (const table of tableNames) {
      const named = manifest.files[table] ?? [];
      if (!Array.isArray(named)) throw new Error(`"files.${table}" is no list`);
      for (const file of named) {
        if (typeof file !== 'string') throw new Error(`"files.${table}" has an entry that is no text`);
        const name = file.slice(file.lastIndexOf('/') + 1);
        if (!found.has(name)) onProblem(`${path} names ${file}, which is not there.`);
      }
    }
  } catch (error) {
    onProblem(`${path} cannot be read: ${(error as Error).message}.`);
  }
}
