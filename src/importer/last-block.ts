// The block after which an import continues: it determines the source's start, and what the next unit has to name.

import type { Database } from '../../packages/postgres/wire/database.ts';
import type { StreamPosition } from '../../packages/sources/stream-source.ts';
import type { StoredBlock } from '../../packages/store/read/import-state.ts';
import { selectRootForms } from '../../packages/store/read/select-root-forms.ts';
import type { StreamBlock } from '../../packages/streams/stream/stream-block.ts';
import type { ChainPosition } from './open/wrapped-chain.ts';
import type { StoredRoot } from './whole-block/record-file-row.ts';

export type LastBlock = Pick<StoredBlock, 'index' | 'version'> & StoredRoot;

/** record_file.version of blocks of a block stream. */
export const blockStreamVersion = 7;

export async function loadLastBlock(db: Database, stored: StoredBlock): Promise<LastBlock> {
  const isBlockStream = stored.version === blockStreamVersion;
  return { ...stored, rootForms: isBlockStream ? await selectRootForms(db, stored.consensusEnd) : null };
}

export function toPosition({ index, version, consensusEnd }: LastBlock): StreamPosition {
  return { timestamp: consensusEnd, nextBlock: index + 1n, onlyBlocks: version === blockStreamVersion };
}

export function toChainPosition(
  { index, hash, version, rootForms }: LastBlock,
  wrappedRoot: Buffer | null,
): ChainPosition {
  const lastHash = Buffer.from(hash, 'hex');
  const isBlockStream = version === blockStreamVersion;
  const root = isBlockStream ? lastHash : wrappedRoot;
  const roots = rootForms ? [rootForms.newer, rootForms.older] : root && [root];
  return { hash: lastHash, roots, nextBlock: index + 1n, isBlockStream };
}

/** Since this version record files carry their number. */
const firstVersionWithNumber = 6;

/**
 * Files without a number are counted. `shift`: to be added to stored numbers first, if the first number in a file
 * differs.
 */
export function nextBlockNumber(
  block: Pick<StreamBlock, 'blockNumber'>,
  last: Pick<StoredBlock, 'index' | 'version'> | null,
  startBlockNumber: bigint,
): { number: bigint; shift: bigint } {
  const counted = last ? last.index + 1n : startBlockNumber;
  if (block.blockNumber === null) return { number: counted, shift: 0n };
  const wasCounted = last !== null && last.version < firstVersionWithNumber;
  return { number: block.blockNumber, shift: wasCounted ? block.blockNumber - counted : 0n };
}
