// Finds out which form an export has, from the files that are there: parquet files of tables, or a folder for each
// contract.
import { lstatSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { openFolderExport } from './folders/open-folder-export.ts';
import { findTableFiles } from './parquet/find-table-files.ts';
import { openParquetExport } from './parquet/open-parquet-export.ts';
import type { ExportReading, MatchExport } from './terms/match-export.ts';

/** `path`: a folder, or a file of it. Throws an Error that says what is expected there. */
export function openMatchExport(path: string, reading: ExportReading): MatchExport {
  const folder = folderOf(resolve(path));
  const matchFolder = findMatchFolder(folder);
  if (matchFolder !== null) return openFolderExport(matchFolder, reading);
  const tables = findTableFiles(folder, reading.onProblem);
  if (tables !== null) return openParquetExport(tables, reading);
  throw new Error(
    `${path} has neither parquet files such as contract_deployments/contract_deployments_0_1000000.parquet nor the folders contracts/full_match or contracts/partial_match.`,
  );
}

function folderOf(path: string): string {
  let stat: ReturnType<typeof lstatSync>;
  try {
    // A link that the caller names is followed; links inside an export are not.
    stat = lstatSync(`${path}/.`, { throwIfNoEntry: false }) ?? lstatSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') {
      throw new Error(`${path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
    stat = lstatSync(path);
  }
  if (stat.isDirectory()) return path;
  const name = basename(path);
  const folder = dirname(path);
  if (name === 'manifest.json') return folder;
  // A file of v2 lies in the folder of its table.
  if (name.endsWith('.parquet')) return name.startsWith(basename(folder)) ? dirname(folder) : folder;
  throw new Error(`${path} is neither a folder nor manifest.json nor a parquet file of an export.`);
}

/** The folder that has `full_match` or `partial_match`; null = none here. */
function findMatchFolder(folder: string): string | null {
  const candidates = [folder, join(folder, 'contracts'), join(folder, 'repository', 'contracts')];
  return candidates.find((one) => matchFolders.some((name) => namesIn(one).includes(name))) ?? null;
}

const matchFolders = ['full_match', 'partial_match'];

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not there, or no folder: then it is not the one.
    return [];
  }
}
