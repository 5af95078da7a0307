// Which blocks this mirror has, as block nodes say it.
import type { BlockSpan } from './block-source.ts';
import type { HeldBlocks } from './held-blocks.ts';
import { openNumber } from './subscribe-blocks.ts';

/** The run of blocks that ends with the newest: in it nothing is missing. The detail has the earlier ones. */
export async function answerStatus(held: HeldBlocks) {
  await held.refresh();
  const { first, last } = held.spans().at(-1) ?? { first: openNumber, last: openNumber };
  const newest = held.newest();
  return {
    first_available_block: toLong(first),
    last_available_block: toLong(last),
    // It has no snapshots of the state: as block nodes say it that have none of the past.
    only_latest_state: true,
    next_expected_block: toLong(newest === null ? openNumber : newest + 1n),
  };
}

export async function answerStatusDetail(held: HeldBlocks, version: string) {
  await held.refresh();
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  const ranges = held
    .spans()
    .map(({ first, last }: BlockSpan) => ({ range_start: toLong(first), range_end: toLong(last) }));
  return {
    version_information: { block_node_version: { major, minor, patch } },
    available_ranges: ranges,
    stored_ranges: ranges,
  };
}

/** As protobufjs takes 64 bits. */
function toLong(value: bigint): { low: number; high: number; unsigned: true } {
  return { low: Number(BigInt.asIntN(32, value)), high: Number(BigInt.asIntN(32, value >> 32n)), unsigned: true };
}
