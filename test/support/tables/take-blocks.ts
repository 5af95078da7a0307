// Follows a source as an import does; every block must have the number that it is listed with.
import { expect } from 'vitest';
import { toBigInt } from '../../../packages/protocol/hapi/hapi.ts';
import { readStoredBlock } from '../../../packages/sources/read-stored-block.ts';
import type {
  StreamPosition,
  StreamSource,
  StreamUnit,
  UnitsOptions,
} from '../../../packages/sources/stream-source.ts';
import { blockMessages } from '../../../packages/streams/block-stream/block-messages.ts';

export type TakeBlocksOptions = Partial<UnitsOptions> & {
  until?(numbers: bigint[]): boolean;
  onUnit?(unit: StreamUnit): void;
  /** The returned list, for cases in which the source fails. */
  numbers?: bigint[];
};

/** Numbers of the blocks, to the end or until enough have come. */
export async function takeBlocks(
  source: StreamSource,
  from: bigint | null,
  { until = () => false, onUnit, numbers = [], ...options }: TakeBlocksOptions = {},
): Promise<bigint[]> {
  let position: StreamPosition | null = from === null ? null : { timestamp: 0n, nextBlock: from, onlyBlocks: true };
  for await (const unit of source.units({ live: true, isEnough: () => true, ...options, position: () => position })) {
    if (unit.kind === 'record') throw new Error('a record file came');
    const [header] = (await readStoredBlock(source, unit.block)).items;
    expect(toBigInt(blockMessages.header.decode(header!.content).number)).toBe(unit.block.number);
    numbers.push(unit.block.number);
    position = { timestamp: 0n, nextBlock: unit.block.number + 1n, onlyBlocks: true };
    onUnit?.(unit);
    if (until(numbers)) break;
  }
  return numbers;
}
