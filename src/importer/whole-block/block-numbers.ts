// Which number a block has. Record files carry it since v6; before, files are counted, and the first v6 file tells by
// how much the count was off.
import type { StreamBlock } from '../../protocol/stream/stream-block.ts';
import type { StoredBlock } from '../../store/read/import-state.ts';

export type BlockNumber = {
  number: bigint;
  /** To be added to the number of every stored block first. */
  shift: bigint;
};

const firstVersionWithNumber = 6;

export function nextBlockNumber(
  block: Pick<StreamBlock, 'blockNumber'>,
  last: Pick<StoredBlock, 'index' | 'version'> | null,
  startBlockNumber: bigint,
): BlockNumber {
  const counted = last ? last.index + 1n : startBlockNumber;
  if (block.blockNumber === null) return { number: counted, shift: 0n };
  const wasCounted = last !== null && last.version < firstVersionWithNumber;
  return { number: block.blockNumber, shift: wasCounted ? block.blockNumber - counted : 0n };
}
