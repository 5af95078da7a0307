// A unit of the stream, of any kind → a checked block; keeps the position in the chain. Later steps do not distinguish
// between a record file, a block that wraps one and a block of a block stream.

import type {
  StreamBlockFile,
  StreamFileGroup,
  StreamSource,
  StreamUnit,
} from '../../../packages/sources/stream-source.ts';
import { packUnit } from '../../../packages/streams/block-stream/pack-unit.ts';
import type { StreamBlock } from '../../../packages/streams/stream/stream-block.ts';
import type { BlockVerification } from './block-verification.ts';
import { openBlock } from './open-block.ts';
import { type OpenedBlockFile, openBlockFile } from './open-block-file.ts';
import { createSignaturesAhead } from './signatures-ahead.ts';
import type { Signers } from './signers.ts';
import { StreamCheckError, type StreamCheckFailure } from './stream-check-error.ts';
import type { ChainPosition, WrappedChain } from './wrapped-chain.ts';

export type UnitOpener = {
  /** These record files come next. */
  prepare(groups: readonly StreamFileGroup[], signers: Signers | null): void;
  /** Throws StreamCheckError if it is not proved. `numberOf`: the number of a block, as its file may carry none. */
  open(unit: StreamUnit, signers: Signers | null, numberOf: (block: StreamBlock) => bigint): Promise<OpenedUnit>;
};

/** `unpackedBytes`: uncompressed, as a measure of the block's memory; 0 for record files, which are small. */
export type OpenedUnit = {
  /** The copy of the block; null: of a record file. */
  file: StreamBlockFile | null;
  block: StreamBlock;
  verification: BlockVerification;
  unpackedBytes: number;
  /** hinTS keys that its state names. */
  namedKeys: readonly Uint8Array[];
  /** Its files, packed to be kept; empty: they are not. */
  kept: Buffer[];
};

/** `keepsFiles`: the files of each unit come with it. */
export function createUnitOpener(
  source: StreamSource,
  chain: WrappedChain,
  start: ChainPosition | null,
  { keepsFiles = false } = {},
): UnitOpener {
  let last = start;
  const signatures = createSignaturesAhead(source, { keepsFiles });

  /** If several places have the block and a copy fails, the next one is tried. */
  async function openAnyCopy(
    { block: file, successor }: Extract<StreamUnit, { kind: 'block' }>,
    signers: Signers | null,
  ): Promise<OpenedBlockFile & { file: StreamBlockFile }> {
    const failures: StreamCheckFailure[] = [];
    for (let copy: StreamBlockFile = file; ; ) {
      try {
        // The successor is of the same place as the first copy: it proves nothing about another one.
        const witness = copy === file ? (successor ?? null) : null;
        const opened = await openBlockFile({ source, file: copy, successor: witness, signers, last });
        opened.verification.rejected.push(...failures);
        return { ...opened, file: copy };
      } catch (error) {
        if (!(error instanceof StreamCheckError)) throw error;
        const other = await source.passOver?.(copy);
        if (other === undefined) throw error;
        // If one place has several, the name tells which.
        const location =
          copy !== file && copy.location === file.location ? `${copy.location}/${copy.name}` : copy.location;
        failures.push(...error.failures.map((failure) => ({ ...failure, node: failure.node ?? location })));
        const [first, ...others] = failures;
        if (other === null) throw new StreamCheckError([first!, ...others]);
        copy = other;
      }
    }
  }

  return {
    prepare(groups, signers) {
      if (signers) signatures.begin(groups, signers);
    },
    async open(unit, signers, numberOf) {
      if (unit.kind === 'block') {
        const { block, verification, roots, items, ...opened } = await openAnyCopy(unit, signers);
        const number = numberOf(block);
        const isBlockStream = !block.wrapped;
        if (block.wrapped) chain.addRoot(number, block.wrapped.root);
        last = { hash: block.hash, roots, nextBlock: number + 1n, isBlockStream };
        const kept = keepsFiles ? packUnit({ kind: 'block', items }) : [];
        const { file, unpackedBytes, namedKeys } = opened;
        return { file, block, verification, unpackedBytes, namedKeys, kept };
      }
      const { group } = unit;
      const previousHash = last?.hash ?? null;
      const opened = await openBlock({ source, group, signers, signatures, previousHash });
      const { block, verification, wrap, signed } = opened;
      const number = numberOf(block);
      block.wrapped = chain.add({ ...wrap, number });
      const roots = block.wrapped ? [block.wrapped.root] : null;
      last = { hash: block.hash, roots, nextBlock: number + 1n, isBlockStream: false };
      const kept = keepsFiles ? packUnit({ kind: 'record', record: wrap.bytes, signatures: signed }) : [];
      return { file: null, block, verification, unpackedBytes: 0, namedKeys: [], kept };
    },
  };
}
