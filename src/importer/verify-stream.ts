// Proves the files of a source one by one without a database, and reports on each. What passes here passes in an
// import.

import type { AddressBook } from '../../packages/protocol/hapi/address-book.ts';
import { responseCodeName } from '../../packages/protocol/hapi/response-codes.ts';
import { findTransactionType } from '../../packages/protocol/hapi/transaction-types.ts';
import type { StreamPosition, StreamSource, StreamUnit } from '../../packages/sources/stream-source.ts';
import type { StreamBlock } from '../../packages/streams/stream/stream-block.ts';
import type { BlockVerification } from './open/block-verification.ts';
import { checkOtherCopies } from './open/check-other-copies.ts';
import type { ConsensusRatio } from './open/consensus-ratio.ts';
import { createSignerFollower } from './open/follow-signers.ts';
import { createUnitOpener, type OpenedUnit } from './open/open-unit.ts';
import type { StreamCheckFailure } from './open/stream-check-error.ts';
import { createWrappedChain } from './open/wrapped-chain.ts';
import { createProofChecker } from './proving/check-proofs.ts';
import { type CoveredBlock, createCoverage } from './proving/cover-blocks.ts';
import { unknownLedger } from './proving/ledger-change.ts';

export type VerifyStreamOptions = {
  source: StreamSource;
  /** null: signatures are not checked, and the report of each file says so. */
  addressBook: AddressBook | null;
  /** By node id; null: each node weighs 1, until the stream has stakes. */
  stakes?: ReadonlyMap<bigint, bigint> | null;
  /** Default one third. */
  consensusRatio?: ConsensusRatio;
  /** The ledger that blocks must belong to, 32 or 64 bytes; null: the one that the stream publishes. */
  ledgerId?: Uint8Array | null;
  /** Hash of a hinTS key of it that nothing else vouches for. */
  ledgerKey?: Uint8Array | null;
  /** The message that published its id, for a stream that begins later. */
  ledgerPublication?: Uint8Array | null;
  /** The previous hash that the first file must name; null accepts any. */
  previousHash?: Buffer | null;
  /** Only files later than this instant, ns. */
  after?: bigint | null;
  signal?: AbortSignal;
};

export type VerifiedFile = Pick<
  StreamBlock,
  | 'name'
  | 'version'
  | 'hapiVersion'
  | 'blockNumber'
  | 'previousHash'
  | 'hash'
  | 'fileHash'
  | 'metadataHash'
  | 'consensusStart'
  | 'consensusEnd'
  | 'sizeBytes'
  | 'sidecars'
  | 'wrapped'
> & {
  transactionCount: number;
  /** Transactions by name of the body's `data` field, or by its number if this HAPI version has no name. */
  types: Record<string, number>;
  /** Transactions by name of the response code, or its number. */
  statuses: Record<string, number>;
  verification: BlockVerification;
  /**
   * Numbers of the blocks that are missing before this one: nothing proves that it continues the last one before them.
   */
  gap: { first: bigint; last: bigint } | null;
};

/**
 * Each file once it is proved; `verification.rejected` has every bad signature and copy of it. After missing blocks it
 * continues with the next one. Throws StreamCheckError at the first file that is not proved, StreamSourceError if there
 * is none.
 */
export async function* verifyStream(options: VerifyStreamOptions): AsyncGenerator<VerifiedFile> {
  const { source, addressBook, stakes = null, consensusRatio, after = null, signal } = options;
  const follower = addressBook ? createSignerFollower(addressBook, stakes, consensusRatio) : null;
  const { previousHash = null, ledgerId = null, ledgerKey = null, ledgerPublication: publication = null } = options;
  const coverage = createCoverage<OpenedFile>({
    checker: createProofChecker(),
    given: { stored: unknownLedger, ledgerId, ledgerKey, publication },
    everyBlock: true,
    passesUnchecked: true,
  });
  if (publication || ledgerKey) await coverage.begin();
  const start = previousHash && { hash: previousHash, roots: null, nextBlock: null, isBlockStream: false };
  // Without the first block the roots around record files are unknown; the chain finds out with the first one.
  let opener = createUnitOpener(source, await createWrappedChain({ roots: noRoots() }), start);
  let last: StreamPosition | null = after === null ? null : { timestamp: after, nextBlock: null, onlyBlocks: false };
  const all = { position: () => last, live: false, isEnough: () => true, showsFar: true, signal };
  for await (const unit of source.units(all)) {
    const numberOf = (block: StreamBlock) => block.blockNumber ?? last?.nextBlock ?? 0n;
    const gap = unit.kind === 'block' ? gapBefore(unit.block.number, last?.nextBlock ?? null) : null;
    if (gap) {
      yield* report(source, coverage.end());
      opener = createUnitOpener(source, await createWrappedChain({ roots: null }), null);
    }
    const opened = await opener.open(unit, follower?.signers() ?? null, numberOf);
    const { block } = opened;
    last = { timestamp: block.consensusEnd, nextBlock: numberOf(block) + 1n, onlyBlocks: block.version === 7 };
    follower?.follow(block);
    yield* report(source, coverage.add({ ...opened, unit, gap }, false));
  }
  if (!signal?.aborted) yield* report(source, coverage.end());
}

type OpenedFile = OpenedUnit & { unit: StreamUnit; gap: VerifiedFile['gap'] };

async function* report(
  source: StreamSource,
  covered: AsyncIterable<CoveredBlock<OpenedFile>>,
): AsyncGenerator<VerifiedFile> {
  for await (const { opened } of covered) {
    const { block, verification, unit, gap } = opened;
    const others =
      unit.kind === 'record' && verification.node !== null
        ? await checkOtherCopies({ source, group: unit.group, block, node: verification.node })
        : [];
    const rejected = [...verification.rejected, ...others].filter(isFirstOfItsKind);
    const { transactions, ...facts } = block;
    yield {
      ...facts,
      transactionCount: transactions.length,
      types: count(transactions.map(({ type }) => typeName(type))),
      statuses: count(transactions.map(({ status }) => responseCodeName(status))),
      verification: { ...verification, rejected },
      gap,
    };
  }
}

function gapBefore(number: bigint, expected: bigint | null): VerifiedFile['gap'] {
  return expected !== null && number > expected ? { first: expected, last: number - 1n } : null;
}

async function* noRoots(): AsyncGenerator<Buffer> {}

// A copy that was tried and rejected is found again among the others.
function isFirstOfItsKind(failure: StreamCheckFailure, index: number, all: readonly StreamCheckFailure[]): boolean {
  return (
    all.findIndex(({ file, node, code }) => file === failure.file && node === failure.node && code === failure.code) ===
    index
  );
}

function typeName(type: number): string {
  return findTransactionType(type)?.bodyField ?? (type === 0 ? 'none' : String(type));
}

function count(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
