// Whether a block names the root of the one before it, and which of the two forms its own root has. Without a
// verifiable proof, this and the next block show that it is the network's block.

import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { readStoredBlock } from '../../../packages/sources/read-stored-block.ts';
import { type StreamBlockFile, type StreamSource, StreamSourceError } from '../../../packages/sources/stream-source.ts';
import { type Block, toBlock } from '../../../packages/streams/block-stream/block.ts';
import { itemKinds } from '../../../packages/streams/block-stream/block-item.ts';
import { readWrappedRecord } from '../../../packages/streams/block-stream/wrapped-record.ts';
import { checkRecordFile } from './check-record-file.ts';
import { readBlockFile, readPreviousRoot } from './read-block-file.ts';
import { failureOf, type StreamCheck, StreamCheckError } from './stream-check-error.ts';
import type { ChainPosition } from './wrapped-chain.ts';

/** Of sixteen leaves, or of eight. unknown: not determined yet. */
export type RootForm = 'sixteen' | 'eight' | 'unknown';

export type RootChecks = {
  source: StreamSource;
  file: StreamBlockFile;
  block: Block;
  last: ChainPosition | null;
  /** Passed checks are added. */
  checks: StreamCheck[];
  problems: string[];
};

/**
 * Returns the form of the block's own root. 'eight' may be wrong: a network switches to the newer form at one of its
 * blocks. Throws StreamCheckError.
 */
export async function checkPreviousRoot({
  source,
  file,
  block,
  last,
  checks,
  problems,
}: RootChecks): Promise<RootForm> {
  const named = block.footer.previousBlockRootHash;
  if (!last) return successorForm(source, block);
  let roots = last.roots ?? (await findWrappedRoot(source, block, last));
  if (roots === null) {
    problems.push(
      `the root before block ${block.number} is not checked: it is that of the block around the last record file, which only follows from all record files since block 0, and neither they nor that block, whole, are here`,
    );
    return successorForm(source, block);
  }
  if (!contains(roots, named) && last.isBlockStream) roots = (await storedRoots(source, block, roots)) ?? roots;
  if (!contains(roots, named)) {
    throw new StreamCheckError([failureOf('previousHash', file.name, toText(roots), named.toString('hex'))]);
  }
  checks.push('previousHash');
  if (last.isBlockStream && roots.length > 1) return roots[0]!.equals(named) ? 'sixteen' : 'eight';
  const form = await successorForm(source, block);
  // Only blocks with the newer form are stored with one root.
  return last.isBlockStream && form === 'unknown' ? 'sixteen' : form;
}

/** For a block around a record file: its files are chained in any case, and one made long after may have no root. */
export function checkWrappedRoot({ block, last, checks, problems }: Omit<RootChecks, 'source' | 'file'>): void {
  if (!last?.roots) return;
  const named = block.footer.previousBlockRootHash;
  if (contains(last.roots, named)) checks.push('previousHash');
  else problems.push(`names ${named.toString('hex')} as the root before it, and not that of the last block`);
}

/** Throws StreamCheckError if the block after it names another root. */
export async function checkOwnRoot(
  { source, file, block }: Pick<RootChecks, 'source' | 'file' | 'block'>,
  successor: StreamBlockFile,
): Promise<void> {
  const named = await readPreviousRoot(source, successor);
  const roots = rootsOf(block);
  if (contains(roots, named)) return;
  const expected = `${named.toString('hex')}, which block ${successor.number} names`;
  throw new StreamCheckError([failureOf('blockRoot', file.name, expected, toText(roots))]);
}

/** The newer form first. */
export function rootsOf({ roots: { sixteen, eight } }: Block): Buffer[] {
  return eight ? [sixteen, eight] : [sixteen];
}

/** Both forms of the root before: a run that has just begun knows the stored one. null if that is another block. */
async function storedRoots(source: StreamSource, { number }: Block, known: Buffer[]): Promise<Buffer[] | null> {
  const stored = await source.findBlock(number - 1n);
  if (!stored) return null;
  const roots = rootsOf((await readBlockFile(source, stored)).block);
  return roots.some((root) => contains(known, root)) ? roots : null;
}

/** Root of the block around the last record file, if the source has that block too; null also if it is damaged. */
async function findWrappedRoot(source: StreamSource, { number }: Block, last: ChainPosition): Promise<Buffer[] | null> {
  const found = await source.findBlock(number - 1n);
  if (!found) return null;
  try {
    const { items, proofs, roots } = toBlock((await readStoredBlock(source, found)).items);
    const recordFile = items.find(({ kind }) => kind === itemKinds.recordFile);
    const proof = proofs.find(({ signedRecordFileProof }) => signedRecordFileProof)?.signedRecordFileProof;
    if (!recordFile || !proof) return null;
    const { file } = readWrappedRecord(recordFile.content, proof.version);
    const isWhole = checkRecordFile(file, { fileHash: null, metadataHash: null, previousHash: null }) === null;
    return isWhole && file.hash?.equals(last.hash) ? [roots.sixteen] : null;
  } catch (error) {
    // It was imported as a record file: nothing else depends on this block.
    if (error instanceof StreamFileError || error instanceof StreamSourceError) return null;
    throw error;
  }
}

/** Which root the next block names; unknown also if it cannot be read, which is reported when it is due. */
async function successorForm(source: StreamSource, { number, roots }: Block): Promise<RootForm> {
  const next = await source.findBlock(number + 1n);
  if (!next || !roots.eight) return 'unknown';
  try {
    return roots.eight.equals(await readPreviousRoot(source, next)) ? 'eight' : 'sixteen';
  } catch (error) {
    if (error instanceof StreamCheckError) return 'unknown';
    throw error;
  }
}

function contains(roots: readonly Buffer[], wanted: Buffer): boolean {
  return roots.some((root) => root.equals(wanted));
}

function toText(roots: readonly Buffer[]): string {
  return roots.map((root) => root.toString('hex')).join(' or ');
}
