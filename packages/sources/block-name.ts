// Names of block files: `5.blk`, `0000000000082297471.blk.zstd`, 36 digits; and the layout of buckets, where the first
// digits of the number are folders: `0000/0000/0008/2297/471.blk.zstd`.
import { join } from 'node:path';
import type { PassedOver } from './passed-over.ts';

/** Block numbers are stored as int64. */
export const maxBlockNumber = 2n ** 63n - 1n;
/** For a name with a greater number. */
export const beyondBlockNumbers = `no block has a number beyond ${maxBlockNumber}`;

export function secondCopy(path: string, number: bigint, first: string): PassedOver {
  return { path, reason: `block ${number} exists as ${first} too, which is used unless it is refused` };
}

const fileName = /^(\d{1,36})\.blk(?:\.gz|\.zstd|\.zst)?$/;
const endings = ['.blk', '.blk.gz', '.blk.zstd', '.blk.zst'];
const digitsOfNumber = 19;
/** Length of the folder names of a nested layout; the remaining digits are the file's name. */
const digitsOfFolder = 4;
const nestedFolders = 4;

/** The number in the name of a block file; null for names of anything else. */
export function parseBlockName(name: string): bigint | null {
  const match = fileName.exec(name);
  return match ? BigInt(match[1]!) : null;
}

export function isNestedFolderName(name: string): boolean {
  return name.length === digitsOfFolder && /^\d+$/.test(name);
}

/** Possible paths of the block below a nested layout's folder. */
export function nestedBlockPaths(number: bigint): string[] {
  return endings.map((ending) => join(`${nestedBlockPath(number)}${ending}`));
}

/** The path of a block in a bucket, without extension: `0000/0000/0008/2297/471`. */
export function nestedBlockPath(number: bigint): string {
  const digits = number.toString().padStart(digitsOfNumber, '0');
  const folders = Array.from({ length: nestedFolders }, (_, level) =>
    digits.slice(level * digitsOfFolder, (level + 1) * digitsOfFolder),
  );
  return [...folders, digits.slice(nestedFolders * digitsOfFolder)].join('/');
}
