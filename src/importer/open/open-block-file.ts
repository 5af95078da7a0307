// From a block file to a checked block: is it the successor of the last one, does its root follow from its items, who signed
// the record file in it. Threshold signatures of blocks are not verified yet, and the proof says so.
import { type Block, toBlock } from '../../protocol/block-stream/block.ts';
import { itemKinds } from '../../protocol/block-stream/block-item.ts';
import type { BlockMessages } from '../../protocol/block-stream/block-messages.generated.ts';
import { blockMessages } from '../../protocol/block-stream/block-messages.ts';
import { readBlockTransactions } from '../../protocol/block-stream/block-transactions.ts';
import { readOpeningState } from '../../protocol/block-stream/opening-state.ts';
import type { StoredBlock } from '../../protocol/block-stream/read-block-items.ts';
import { readRounds } from '../../protocol/block-stream/rounds.ts';
import { readWrappedRecord } from '../../protocol/block-stream/wrapped-record.ts';
import { LedgerValueError } from '../../protocol/ledger-value-error.ts';
import type { StreamBlock } from '../../protocol/stream-block.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { readStoredBlock } from '../../source/read-stored-block.ts';
import { type StreamBlockFile, type StreamSource, StreamSourceError } from '../../source/stream-source.ts';
import { type BlockVerification, notVerified, type UnitProof } from './block-verification.ts';
import type { ChainPosition } from './chain-position.ts';
import { checkRecordFile } from './check-record-file.ts';
import { consensusRange, decodeItems } from './decode-items.ts';
import { openWrappedRecord } from './open-wrapped-record.ts';
import type { Signers } from './signers.ts';
import { type StreamCheck, StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';

export type OpenBlockFileOptions = {
  source: StreamSource;
  file: StreamBlockFile;
  /** The block after it, where it is at hand: its root must be the one that is named there. */
  successor: StreamBlockFile | null;
  /** null: signatures are not checked, and the report says so. */
  signers: Signers | null;
  last: ChainPosition | null;
};

export type OpenedBlockFile = {
  block: StreamBlock;
  verification: BlockVerification;
  roots: Buffer[];
  unpackedBytes: number;
};

/** Throws StreamCheckError when the file is not the block that is due. */
export async function openBlockFile(options: OpenBlockFileOptions): Promise<OpenedBlockFile> {
  const { source, file, last } = options;
  const { block, sizeBytes, unpackedBytes } = await readBlockFile(source, file);
  const expectedNumber = last?.nextBlock ?? file.number;
  if (block.number !== expectedNumber) {
    const isMissing = block.number > expectedNumber;
    const code = isMissing ? 'missing' : 'format';
    throw failed(file, code, `block ${expectedNumber}`, `block ${block.number}`, isMissing);
  }
  const recordFile = block.items.find(({ kind }) => kind === itemKinds.recordFile);
  const problems: string[] = [];
  const checks: StreamCheck[] = [];
  if (recordFile) {
    checkWrappedRoot(block, last, checks, problems);
    const opened = await openWrappedRecord({ ...options, block, recordFile, problems, checks });
    return { ...opened, roots: [block.roots.sixteen], unpackedBytes };
  }
  const form = await checkPreviousRoot(options, block, checks, problems);
  if (options.successor) await checkOwnRoot(options, options.successor, block);
  const { made, rounds, openingState } = withPlace(file, () => ({
    made: readBlockTransactions(block.items),
    rounds: readRounds(block.items),
    openingState: block.number === 0n ? readOpeningState(block.items) : null,
  }));
  problems.push(...made.problems);
  const transactions = await decodeItems(made.transactions, problems);
  for (const item of transactions) {
    const { sidecars, congestionPricingMultiplier, ethereumNonce, executedHook } = made.transactions[item.index]!;
    Object.assign(item, { sidecars, congestionPricingMultiplier, ethereumNonce, executedHook, recordBytes: null });
  }
  const { start, end } = consensusRange(transactions, block.timestamp);
  const { sixteen, eight } = block.roots;
  return {
    block: {
      name: file.name,
      version: 7,
      blockNumber: block.number,
      hapiVersion: block.hapiVersion,
      softwareVersion: block.softwareVersion,
      rounds,
      // Where record files ended, the chain of hashes goes on from the last of them.
      previousHash: last && !last.isBlockStream ? last.hash : block.footer.previousBlockRootHash,
      hash: (form === 'eight' && eight) || sixteen,
      rootForms: eight && form !== 'sixteen' ? { newer: sixteen, older: eight } : null,
      fileHash: Buffer.alloc(0),
      metadataHash: null,
      consensusStart: start,
      consensusEnd: end,
      sizeBytes,
      sidecars: [],
      openingState,
      transactions,
    },
    verification: { proofs: readProofs(block), node: null, checks, rejected: [], problems },
    roots: eight ? [sixteen, eight] : [sixteen],
    unpackedBytes,
  };
}

type ReadBlock = Omit<StoredBlock, 'items'> & { block: Block };

/** Throws StreamCheckError. */
async function readBlockFile(source: StreamSource, file: StreamBlockFile): Promise<ReadBlock> {
  const { items, ...sizes } = await readStoredFile(source, file);
  return withPlace(file, () => ({ block: toBlock(items), ...sizes }));
}

/** @param keeps which kinds of items to keep; all unless said */
async function readStoredFile(
  source: StreamSource,
  file: StreamBlockFile,
  keeps?: (kind: number) => boolean,
): Promise<StoredBlock> {
  try {
    return await readStoredBlock(source, file, keeps);
  } catch (error) {
    if (error instanceof StreamFileError) throw malformed(file, error);
    if (!(error instanceof StreamSourceError)) throw error;
    throw failed(file, error.code === 'missing' ? 'missing' : 'format', 'a readable file', error.message, true);
  }
}

/** The root that a block names as the one before it. Throws StreamCheckError. */
async function readPreviousRoot(source: StreamSource, file: StreamBlockFile): Promise<Buffer> {
  const { items } = await readStoredFile(source, file, (kind) => kind === itemKinds.blockFooter);
  return withPlace(file, () => {
    const [footer] = items;
    if (!footer) throw new StreamFileError('truncated', 'block', 'one block footer', 'none');
    return blockMessages.footer.decode(footer.content).previousBlockRootHash;
  });
}

function withPlace<Result>(file: StreamBlockFile, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof LedgerValueError)
      throw failed(file, 'format', 'values that a ledger has', error.message, false);
    if (!(error instanceof StreamFileError)) throw error;
    throw malformed(file, error);
  }
}

function malformed(file: StreamBlockFile, { part, expected, found, problem }: StreamFileError): StreamCheckError {
  return failed(file, 'format', `${part}: ${expected}`, found, problem === 'truncated');
}

type RootForm = 'sixteen' | 'eight';

/** Returns the form that the block's own root has, as far as it can be told. 'eight' may be wrong: a network takes up the newer form with one of its blocks. */
async function checkPreviousRoot(
  { source, file, last }: OpenBlockFileOptions,
  block: Block,
  checks: StreamCheck[],
  problems: string[],
): Promise<RootForm | null> {
  const named = block.footer.previousBlockRootHash;
  if (!last) return successorForm(source, block);
  let roots = last.roots ?? (await findWrappedRoot(source, block, last));
  if (roots === null) {
    problems.push(
      `the root before block ${block.number} is not checked: it is that of the block around the last record file, which only follows from all record files since block 0, and neither they nor that block, whole, are here`,
    );
    return successorForm(source, block);
  }
  if (!roots.some((root) => root.equals(named)) && last.isBlockStream) {
    // A run that has just begun knows one form of the last root, as it is stored.
    const stored = await source.findBlock(block.number - 1n);
    if (stored) {
      const { sixteen, eight } = (await readBlockFile(source, stored)).block.roots;
      if (roots.some((root) => root.equals(sixteen) || (eight && root.equals(eight))))
        roots = [sixteen, eight ?? sixteen];
    }
  }
  const form = roots.findIndex((root) => root.equals(named));
  if (form < 0) {
    throw failed(
      file,
      'previousHash',
      roots.map((root) => root.toString('hex')).join(' or '),
      named.toString('hex'),
      false,
    );
  }
  checks.push('previousHash');
  if (!last.isBlockStream) return successorForm(source, block);
  if (roots.length > 1) return form === 1 ? 'eight' : 'sixteen';
  // Only what has the newer form is stored with one.
  return (await successorForm(source, block)) ?? 'sixteen';
}

/** Without a proof that can be verified only the block after it says that this is the block that the network made. */
async function checkOwnRoot(
  { source, file }: OpenBlockFileOptions,
  successor: StreamBlockFile,
  { roots }: Block,
): Promise<void> {
  const named = await readPreviousRoot(source, successor);
  const found = [roots.sixteen, roots.eight].filter((root) => root !== null);
  if (found.some((root) => root.equals(named))) return;
  const ownRoots = found.map((root) => root.toString('hex')).join(' or ');
  throw failed(file, 'blockRoot', `${named.toString('hex')}, which block ${successor.number} names`, ownRoots, false);
}

/** Root of the block around the last record file, where the source has that block too; null also where it is damaged. */
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

/** Which root the block after this one names; null while it is not there, and of one that cannot be read, which is said when it is due. */
async function successorForm(source: StreamSource, { number, roots }: Block): Promise<RootForm | null> {
  const next = await source.findBlock(number + 1n);
  if (!next || !roots.eight) return null;
  try {
    return roots.eight.equals(await readPreviousRoot(source, next)) ? 'eight' : 'sixteen';
  } catch (error) {
    if (error instanceof StreamCheckError) return null;
    throw error;
  }
}

// The chain of record files holds in any case; blocks made long after the records may have no chain of their own.
function checkWrappedRoot(block: Block, last: ChainPosition | null, checks: StreamCheck[], problems: string[]): void {
  if (!last?.roots) return;
  const named = block.footer.previousBlockRootHash;
  if (last.roots.some((root) => root.equals(named))) checks.push('previousHash');
  else problems.push(`names ${named.toString('hex')} as the root before it, and not that of the last block`);
}

const unverifiedThreshold = 'threshold signatures cannot be verified by this version';

function readProofs({ items, proofs }: Block): UnitProof[] {
  const contents = items.filter(({ kind }) => kind === itemKinds.blockProof).map(({ content }) => content);
  return proofs.map((proof, place) => toProof(proof, contents[place]!));
}

function toProof(proof: BlockMessages['BlockProof'], bytes: Buffer): UnitProof {
  if (proof.signedBlockProof) return notVerified('signedBlock', unverifiedThreshold, bytes);
  if (Object.hasOwn(proof, 'blockStateProof')) return notVerified('stateProof', unverifiedThreshold, bytes);
  if (!proof.signedRecordFileProof) return notVerified('other', 'this version does not know its kind', bytes);
  return notVerified('signatures', 'the block holds no record file that they are of', bytes);
}

function failed(
  file: StreamBlockFile,
  code: StreamCheckFailure['code'],
  expected: string,
  found: string,
  transient: boolean,
): StreamCheckError {
  return new StreamCheckError([{ code, file: file.name, node: null, expected, found, transient }]);
}
