// Block file → checked block: the successor of the last one, with a root that follows from its items, and with the
// signatures of its record file. Threshold signatures of blocks are verified after it (importer/proving).

import type { StreamBlockFile, StreamSource } from '../../../packages/sources/stream-source.ts';
import { type Block, readRounds } from '../../../packages/streams/block-stream/block.ts';
import { type BlockStreamItem, itemKinds } from '../../../packages/streams/block-stream/block-item.ts';
import type { BlockMessages } from '../../../packages/streams/block-stream/block-messages.generated.ts';
import {
  type BlockTransaction,
  readBlockTransactions,
} from '../../../packages/streams/block-stream/block-transactions.ts';
import { decodeBlockTransaction } from '../../../packages/streams/block-stream/decode-block-transaction.ts';
import { findNamedKeys } from '../../../packages/streams/block-stream/find-named-keys.ts';
import { readOpeningState } from '../../../packages/streams/block-stream/opening-state.ts';
import { consensusRange, decodeItems } from '../../../packages/streams/decode-items.ts';
import { type Doubt, doubtsOfUnknown } from '../../../packages/streams/stream/doubt.ts';
import type { StateQuestion } from '../../../packages/streams/stream/state-question.ts';
import type { IncompleteTransactions, StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import { type BlockVerification, notVerified, type UnitProof } from './block-verification.ts';
import { checkOwnRoot, checkPreviousRoot, checkWrappedRoot, type RootForm, rootsOf } from './check-roots.ts';
import { openWrappedRecord } from './open-wrapped-record.ts';
import { type ReadBlock, readBlockFile } from './read-block-file.ts';
import type { Signers } from './signers.ts';
import { failureOf, readPart, type StreamCheck, StreamCheckError, withoutProof } from './stream-check-error.ts';
import type { ChainPosition } from './wrapped-chain.ts';

export type OpenBlockFileOptions = {
  source: StreamSource;
  file: StreamBlockFile;
  /** The next block, if available: its named previous root must be this block's. */
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
  items: readonly BlockStreamItem[];
  /** hinTS keys that its state names; none in a block around a record file. */
  namedKeys: readonly Uint8Array[];
};

/** Throws StreamCheckError if the file is not the block that is due. */
export async function openBlockFile(options: OpenBlockFileOptions): Promise<OpenedBlockFile> {
  const { source, file, successor, last } = options;
  const read = await readBlockFile(source, file);
  const { block, unpackedBytes } = read;
  const expectedNumber = last?.nextBlock ?? file.number;
  if (block.number !== expectedNumber) {
    const transient = block.number > expectedNumber;
    const [expected, found] = [`block ${expectedNumber}`, `block ${block.number}`];
    throw new StreamCheckError([
      failureOf(transient ? 'missing' : 'format', file.name, expected, found, { transient }),
    ]);
  }
  const checks: StreamCheck[] = [];
  const problems: string[] = [];
  const asked = { source, file, block, last, checks, problems };
  const recordFile = block.items.find(({ kind }) => kind === itemKinds.recordFile);
  if (recordFile) {
    if (block.proofs.length === 0) throw new StreamCheckError([withoutProof(file.name)]);
    checkWrappedRoot(asked);
    const opened = await openWrappedRecord({ ...asked, recordFile, signers: options.signers });
    return { ...opened, roots: [block.roots.sixteen], unpackedBytes, items: block.items, namedKeys: [] };
  }
  const form = await checkPreviousRoot(asked);
  if (successor) await checkOwnRoot(asked, successor);
  const named = findNamedKeys(block.items);
  problems.push(...named.problems);
  const doubts: Doubt[] = [];
  return {
    block: await toStreamBlock(options, read, form, doubts),
    verification: { proofs: readProofs(block), node: null, checks, rejected: [], problems, doubts },
    roots: rootsOf(block),
    unpackedBytes,
    items: block.items,
    namedKeys: named.keys,
  };
}

async function toStreamBlock(
  { file, last }: OpenBlockFileOptions,
  { block, sizeBytes }: ReadBlock,
  form: RootForm,
  doubts: Doubt[],
): Promise<StreamBlock> {
  const { made, rounds, openingState } = readPart(file.name, () => ({
    made: readBlockTransactions(block.items),
    rounds: readRounds(block.items),
    openingState: block.number === 0n ? readOpeningState(block.items, doubts) : null,
  }));
  const decoded = await decodeItems(made.transactions, decodeBlockTransaction, placeOf);
  const transactions = decoded.items;
  doubts.push(...made.doubts, ...decoded.doubts);
  // Else it is known when the questions are answered.
  if (made.questions.length === 0) doubts.push(...doubtsOfUnknown(made.unknown));
  const incomplete = made.questions.length === 0 ? null : toIncomplete(file.name, block.items, made.questions);
  const { sixteen, eight, path } = block.roots;
  return {
    name: file.name,
    version: 7,
    blockNumber: block.number,
    hapiVersion: block.hapiVersion,
    softwareVersion: block.softwareVersion,
    rounds,
    // After the last record file, the chain of hashes continues from it.
    previousHash: last && !last.isBlockStream ? last.hash : block.footer.previousBlockRootHash,
    hash: eight && form === 'eight' ? eight : sixteen,
    rootForms: eight && form !== 'sixteen' ? { newer: sixteen, older: eight } : null,
    path,
    fileHash: Buffer.alloc(0),
    metadataHash: null,
    ...consensusRange(transactions, block.timestamp),
    sizeBytes,
    sidecars: [],
    openingState,
    transactions,
    incomplete,
  };
}

const placeOf = ({ place }: BlockTransaction): number => place;

/** Other doubts of the block are those of its first reading. */
function toIncomplete(
  name: string,
  items: readonly BlockStreamItem[],
  questions: readonly StateQuestion[],
): IncompleteTransactions {
  return {
    questions,
    async complete(answers) {
      const made = readPart(name, () => readBlockTransactions(items, answers));
      const { items: transactions } = await decodeItems(made.transactions, decodeBlockTransaction, placeOf);
      return { transactions, questions: made.questions, doubts: doubtsOfUnknown(made.unknown) };
    },
  };
}

/** Until a ledger is trusted: the proof of a block says whose it is. */
const noLedgerId = 'no ledger id is known: none was given (--ledger-id), and none is known to be published before';

function readProofs({ items, proofs }: Block): UnitProof[] {
  const contents = items.filter(({ kind }) => kind === itemKinds.blockProof).map(({ content }) => content);
  return proofs.map((proof, place) => toProof(proof, contents[place]!));
}

function toProof(proof: BlockMessages['BlockProof'], bytes: Buffer): UnitProof {
  if (proof.signedBlockProof) return notVerified('signedBlock', noLedgerId, bytes);
  if (Object.hasOwn(proof, 'blockStateProof')) return notVerified('stateProof', noLedgerId, bytes);
  if (!proof.signedRecordFileProof) return notVerified('other', 'its kind is unknown to this version', bytes);
  return notVerified('signatures', 'the block holds no record file that they belong to', bytes);
}
