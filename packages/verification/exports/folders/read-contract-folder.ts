// The folder of one contract: `metadata.json` and what is below `sources`, under the names of the sources (first
// version of the layout) or their hashes (second version).
import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { keccak256 } from '../../../protocol/keccak256.ts';
import { parseModestJson } from '../../terms/modest-json.ts';
import type { SourceClaim } from '../../terms/source-claim.ts';
import type { ExportLimits } from '../terms/match-export.ts';
import { claimFromMetadata } from './claim-from-metadata.ts';
import { readUsualFile } from './read-usual-file.ts';

/** Throws an Error that names the file. */
export async function readContractFolder(folder: string, { inputBytes }: ExportLimits): Promise<SourceClaim> {
  const contents = new Map<string, string>();
  let bytes = 0;
  let files = 0;
  for await (const path of filesBelow(join(folder, 'sources'), 0)) {
    files += 1;
    if (files > maxFiles) throw new Error(`${folder} has more than ${maxFiles} sources`);
    const content = await about(path, () => readUsualFile(path, inputBytes - bytes));
    bytes += content.length;
    contents.set(`0x${keccak256(content).toString('hex')}`, content.toString('utf8'));
  }
  const metadata = join(folder, 'metadata.json');
  return about(metadata, async () => {
    const text = (await readUsualFile(metadata, inputBytes)).toString('utf8');
    return claimFromMetadata(parseModestJson(text), contents);
  });
}

const maxFiles = 5000;
const maxDepth = 64;

/** Links and other things that are no files are passed over: the source is then missing, and its name is reported. */
async function* filesBelow(folder: string, depth: number): AsyncGenerator<string> {
  for await (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile()) yield path;
    else if (entry.isDirectory()) {
      if (depth >= maxDepth) throw new Error(`${path} is nested deeper than ${maxDepth} folders`);
      yield* filesBelow(path, depth + 1);
    }
  }
}

async function* entriesOf(folder: string): AsyncGenerator<Dirent> {
  try {
    if (!(await lstat(folder)).isDirectory()) throw new Error(`${folder} is no folder; links are not followed`);
    yield* await opendir(folder);
  } catch (error) {
    // Metadata may hold the text of the sources itself.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function about<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
