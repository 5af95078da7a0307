// The blocks of one block node. A run of units continues while the node sends, ends when the node has nothing new for a
// while, and fails when the node breaks off, stalls, or sends something other than the block that is due; the caller
// decides where to continue. A run that is not live ends with the last block that the node had when it began, or fails.
// A block is yielded when its successor, which names its root, is there or takes too long; these two are in memory, and
// one that was looked up.

import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { splitBlock } from '../../streams/block-stream/block-item.ts';
import { blockMessages } from '../../streams/block-stream/block-messages.ts';
import type { BlockNodeAddress } from '../source-places.ts';
import {
  IncompleteStreamError,
  type StreamBlockFile,
  type StreamSource,
  StreamSourceError,
  type StreamUnit,
  type UnitsOptions,
} from '../stream-source.ts';
import { type AvailableBlocks, findRange, isToCome } from './available-blocks.ts';
import type { AssembledBlock } from './block-assembler.ts';
import { type BlockNodeClient, createBlockNodeClient } from './block-node-client.ts';
import { blockNodeFailed, blockNodeLacks } from './block-node-error.ts';
import type { BlockNodeLimits } from './block-node-limits.ts';
import { readBlocks } from './read-blocks.ts';

/** Digits of a block's number in the file names that nodes use. */
const digitsOfName = 36;

export function createBlockNodeSource(address: BlockNodeAddress, limits: BlockNodeLimits): StreamSource {
  const { answerMs, stallMs, blockLimits } = limits;
  const kept = createKeptBlocks();

  async function readBlock(number: bigint, signal?: AbortSignal): Promise<Buffer[]> {
    const known = kept.find(number);
    if (known) return known.parts;
    const range = { from: number, to: number, quietMs: stallMs, ...(signal && { signal }) };
    const read = (client: BlockNodeClient) => readBlocks({ address, limits, client, ...range });
    for await (const { block } of connected({ address, limits, signal }, read)) {
      kept.setLookedUp(block);
      return block.parts;
    }
    signal?.throwIfAborted();
    throw new StreamSourceError('missing', address.name, `${address.name} did not send block ${number}`);
  }

  async function lookAtStatus(signal?: AbortSignal): Promise<AvailableBlocks> {
    async function* look(client: BlockNodeClient): AsyncGenerator<AvailableBlocks> {
      yield await client.available(answerMs);
    }
    for await (const available of connected({ address, limits, signal }, look)) return available;
    throw signal!.reason;
  }

  return {
    description: address.name,
    units: (options) => followNode({ address, limits, kept }, options),
    async read(copy) {
      throw new StreamSourceError('missing', copy.location, `${address.name} has no record files`);
    },
    async *readBlock({ number }, signal) {
      yield* await readBlock(number, signal);
    },
    blockLimits,
    async findBlock(number, signal) {
      const isThere = kept.find(number) || findRange(await lookAtStatus(signal), number);
      return isThere ? toFile(address, number) : null;
    },
    async newestInstant() {
      const newest = (await lookAtStatus()).ranges.at(-1);
      if (!newest) return null;
      const [part] = await readBlock(newest.last);
      try {
        const [header] = splitBlock(part!);
        const { blockTimestamp } = blockMessages.header.decode(header!.content);
        return toTimestamp(decodeMessage(proto.Timestamp, blockTimestamp));
      } catch (error) {
        throw toSourceError(address, error);
      }
    },
  };
}

type KeptBlocks = ReturnType<typeof createKeptBlocks>;

/** The blocks in memory: the last unit and its successor, and one that was looked up by number. */
function createKeptBlocks() {
  let atHand: AssembledBlock[] = [];
  let lookedUp: AssembledBlock | null = null;
  return {
    find: (number: bigint) => [...atHand, lookedUp].find((block) => block?.number === number),
    setAtHand(...blocks: (AssembledBlock | null)[]): void {
      atHand = blocks.filter((block) => block !== null);
    },
    setLookedUp(block: AssembledBlock): void {
      lookedUp = block;
    },
  };
}

type Node = { address: BlockNodeAddress; limits: BlockNodeLimits };

async function* followNode(
  { address, limits, kept }: Node & { kept: KeptBlocks },
  { position, live, quietMs = limits.stallMs, signal }: UnitsOptions,
): AsyncGenerator<StreamUnit> {
  const { answerMs } = limits;
  /** What the node had when it was asked first. `last`: the end of a run that is not live. */
  const had: { first: bigint | null; last: bigint | null } = { first: null, last: null };

  async function* follow(client: BlockNodeClient): AsyncGenerator<StreamUnit> {
    let available = await client.available(answerMs);
    had.first = available.ranges[0]?.first ?? null;
    const end = live ? null : (available.ranges.at(-1)?.last ?? null);
    had.last = end;
    for (let before: bigint | null = null; ; available = await client.available(answerMs)) {
      const from = position()?.nextBlock ?? had.first;
      if (from !== null && end !== null && from > end) return;
      const range = from === null ? undefined : findRange(available, from);
      if (from === null || !(range || (live && isToCome(available, from)))) {
        throw blockNodeLacks(address, from, available);
      }
      if (from === before) throw blockNodeFailed(address, `has block ${from} but does not send it`);
      before = from;
      // What follows a gap is requested after the gap is filled from elsewhere.
      const to = end === null || !range || end < range.last ? end : range.last;
      for await (const { block, next } of readBlocks({ address, limits, client, from, to, quietMs, signal })) {
        kept.setAtHand(block, next);
        const successor = next && { successor: toFile(address, next.number) };
        yield { kind: 'block', block: toFile(address, block.number), ...successor };
        // Nothing needs it any more: the next ones replace it.
        kept.setAtHand(next);
        block.parts = [];
        // The reader continued with a block from elsewhere.
        if (signal?.aborted || position()?.nextBlock !== block.number + 1n) return;
      }
      if (live || signal?.aborted) return;
    }
  }

  try {
    yield* connected({ address, limits, signal }, follow);
  } catch (error) {
    if (had.last === null || !(error instanceof StreamSourceError)) throw error;
    throw new IncompleteStreamError(error, { first: position()?.nextBlock ?? had.first ?? 0n, last: had.last });
  }
}

/** Runs with a new connection, which ends with the run or the signal. */
async function* connected<T>(
  { address, limits, signal }: Node & { signal?: AbortSignal | undefined },
  work: (client: BlockNodeClient) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const client = createBlockNodeClient(address, limits.blockLimits.maxMessageBytes);
  const onAbort = (): void => client.close();
  signal?.addEventListener('abort', onAbort);
  try {
    if (!signal?.aborted) yield* work(client);
  } catch (error) {
    if (signal?.aborted) return;
    throw toSourceError(address, error);
  } finally {
    signal?.removeEventListener('abort', onAbort);
    client.close();
  }
}

function toSourceError(address: BlockNodeAddress, error: unknown): unknown {
  if (!(error instanceof StreamFileError)) return error;
  return blockNodeFailed(address, `sends something other than asked for: ${error.message}`);
}

function toFile(address: BlockNodeAddress, number: bigint): StreamBlockFile {
  return { number, name: `${number.toString().padStart(digitsOfName, '0')}.blk`, location: address.name };
}
