// The blocks of one block node. A run of units is one subscription: it goes on while the node sends, ends when the node has
// nothing new for a while, and fails when it breaks, stalls, or sends something else than the block that is due. Where to
// go on after that is decided by the caller. A block is handed out when the next one is there, which names its root, or when
// that is long in coming; these two are in memory, and one that was looked up.
import { splitBlock } from '../../protocol/block-stream/block-item.ts';
import type { BlockLimits } from '../../protocol/block-stream/block-limits.ts';
import { blockMessages } from '../../protocol/block-stream/block-messages.ts';
import { decodeMessage } from '../../protocol/hapi/decode-message.ts';
import { proto } from '../../protocol/hapi/hapi.ts';
import { toTimestamp } from '../../protocol/hapi/timestamp.ts';
import { StreamFileError } from '../../protocol/stream-file-error.ts';
import { type StreamBlockFile, type StreamSource, StreamSourceError, type UnitsOptions } from '../stream-source.ts';
import { type AssembledBlock, type BlockAssembler, createBlockAssembler } from './block-assembler.ts';
import type { BlockNodeAddress } from './block-node-address.ts';
import { type BlockNodeClient, createBlockNodeClient } from './block-node-client.ts';
import { blockNodeFailed, streamEnded } from './block-node-error.ts';
import type { BlockNodeStatus, SubscribeResponse } from './block-node-messages.ts';

export type BlockNodeLimits = {
  /** For a connection and the answer to a short question. */
  answerMs: number;
  /** Without a message for this long, the node is asked whether it has more. */
  stallMs: number;
  /** How long a block waits for the next one, which names its root. */
  confirmMs: number;
  /** From the end of one block to the end of the next, while the node sends. */
  blockMs: number;
  blockLimits: BlockLimits;
};

/** @param timeoutMs for an answer, and for silence while there is more */
export function blockNodeLimits(timeoutMs: number, blockLimits: BlockLimits): BlockNodeLimits {
  return {
    answerMs: timeoutMs,
    stallMs: timeoutMs,
    // Blocks come every two seconds.
    confirmMs: Math.min(timeoutMs, 5_000),
    blockMs: 30 * timeoutMs,
    blockLimits,
  };
}

type ReadBlock = { block: AssembledBlock; next: AssembledBlock | null };

const moreTime = 'Name another node, or give it more time with --source-timeout where the way to it is slow';

/** Digits of a block's number in the names that block files have at the nodes. */
const digitsOfName = 36;

export function createBlockNodeSource(address: BlockNodeAddress, limits: BlockNodeLimits): StreamSource {
  const { answerMs, stallMs, confirmMs, blockMs, blockLimits } = limits;
  /** The last unit and its successor. */
  let atHand: AssembledBlock[] = [];
  /** The last block that was asked for by its number. */
  let lookedUp: AssembledBlock | null = null;

  async function* units({ position, live, quietMs = stallMs, signal }: UnitsOptions) {
    yield* connected(signal, async function* (client) {
      const available = await availableBlocks(client);
      const from = position()?.nextBlock ?? available.first;
      if (from < available.first) throw missing(from, available);
      if (!live && from > available.last) return;
      // The next block after the last one is still to come; a later one is not.
      if (from > available.last + 1n) throw missing(from, available);
      const to = live ? null : available.last;
      for await (const { block, next } of readBlocks({ client, from, to, quietMs })) {
        atHand = next ? [block, next] : [block];
        const successor = next ? { successor: toFile(next.number) } : {};
        yield { kind: 'block' as const, block: toFile(block.number), ...successor };
        // Nothing asks for it any more: the next ones take its room.
        atHand = next ? [next] : [];
        block.parts = [];
        // The reader went on with a block from elsewhere.
        if (signal?.aborted || position()?.nextBlock !== block.number + 1n) return;
      }
    });
  }

  /** Runs with a connection of its own, which ends with it or with the signal. */
  async function* connected<T>(
    signal: AbortSignal | undefined,
    work: (client: BlockNodeClient) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const client = createBlockNodeClient(address, blockLimits.maxMessageBytes);
    const onAbort = (): void => client.close();
    signal?.addEventListener('abort', onAbort);
    try {
      if (!signal?.aborted) yield* work(client);
    } catch (error) {
      if (signal?.aborted) return;
      throw toSourceError(error);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      client.close();
    }
  }

  type Reading = { client: BlockNodeClient; from: bigint; to: bigint | null; quietMs: number };

  /** Each block with the next one where that came in time. Ends after `to`, with the stream, or when there is nothing new. */
  async function* readBlocks({ client, from, to, quietMs }: Reading): AsyncGenerator<ReadBlock> {
    const assembler = createBlockAssembler(from, blockLimits);
    const stream = client.subscribe({ from, to });
    let waiting: AssembledBlock | null = null;
    let blockAtMs = performance.now();
    let messageAtMs = performance.now();
    try {
      for (;;) {
        const response = await stream.next(Math.min(stallMs, quietMs, waiting ? confirmMs : stallMs));
        if (response === 'nothing') {
          const silentMs = performance.now() - messageAtMs;
          const hasMore = await hasDue(client, assembler);
          if (hasMore && silentMs >= stallMs) {
            throw blockNodeFailed(address, `has block ${assembler.due()} and does not send it`, moreTime);
          }
          if (!hasMore && waiting) yield { block: waiting, next: null };
          if (!hasMore) waiting = null;
          if (!hasMore && silentMs >= quietMs) return;
          continue;
        }
        const blocks = take(response, assembler);
        for (const block of blocks) {
          if (waiting) yield { block: waiting, next: block };
          waiting = block;
        }
        // The reader's own time does not count.
        messageAtMs = performance.now();
        if (blocks.length > 0) blockAtMs = messageAtMs;
        if (response === null || response.kind === 'status' || waiting?.number === to) {
          if (waiting) yield { block: waiting, next: null };
          return;
        }
        if (messageAtMs - blockAtMs > blockMs) {
          throw blockNodeFailed(address, `needs more than ${blockMs / 1000} s for block ${assembler.due()}`, moreTime);
        }
      }
    } finally {
      stream.cancel();
    }
  }

  /** Blocks that this completes. */
  function take(response: SubscribeResponse | null, assembler: BlockAssembler): AssembledBlock[] {
    if (response?.kind === 'items') return assembler.addItems(response.items);
    if (response?.kind === 'unknown') return [];
    if (response?.kind === 'endOfBlock') return present(assembler.endBlock(response.number));
    if (response === null || response.code === 'SUCCESS') return present(assembler.endStream());
    throw streamEnded(address, response.code, assembler.due());
  }

  async function hasDue(client: BlockNodeClient, assembler: BlockAssembler): Promise<boolean> {
    const { available } = await client.status(answerMs);
    return available !== null && available.last >= assembler.due();
  }

  async function availableBlocks(client: BlockNodeClient): Promise<NonNullable<BlockNodeStatus['available']>> {
    const { available } = await client.status(answerMs);
    if (!available) throw blockNodeFailed(address, 'has no blocks yet', 'Wait until it has, or name another one');
    const { first, last } = available;
    // No other number can be stored.
    if (first <= last && last < 2n ** 63n) return available;
    throw blockNodeFailed(address, `says that it has the blocks ${first} to ${last}`);
  }

  function missing(due: bigint, { first, last }: { first: bigint; last: bigint }): StreamSourceError {
    const advice =
      due < first ? 'Name a node, or a folder, that has this block' : 'Wait until it has, or name another one';
    return blockNodeFailed(address, `has the blocks ${first} to ${last}, and block ${due} is due`, advice);
  }

  function toSourceError(error: unknown): unknown {
    if (!(error instanceof StreamFileError)) return error;
    return blockNodeFailed(address, `sends something else than asked for: ${error.message}`);
  }

  function toFile(number: bigint): StreamBlockFile {
    return { number, name: `${number.toString().padStart(digitsOfName, '0')}.blk`, location: address.name };
  }

  async function readBlock(number: bigint): Promise<Buffer[]> {
    const known = [...atHand, lookedUp].find((block) => block?.number === number);
    if (known) return known.parts;
    const range = { from: number, to: number, quietMs: stallMs };
    for await (const { block } of connected(undefined, (client) => readBlocks({ client, ...range }))) {
      lookedUp = block;
      return block.parts;
    }
    throw new StreamSourceError('missing', address.name, `${address.name} did not send block ${number}`);
  }

  async function lookAtStatus(): Promise<BlockNodeStatus['available']> {
    const client = createBlockNodeClient(address, blockLimits.maxMessageBytes);
    try {
      return (await client.status(answerMs)).available;
    } finally {
      client.close();
    }
  }

  return {
    description: address.name,
    units,
    async read(copy) {
      throw new StreamSourceError('missing', copy.location, `${address.name} has no record files`);
    },
    async *readBlock({ number }) {
      yield* await readBlock(number);
    },
    blockLimits,
    async findBlock(number) {
      if ([...atHand, lookedUp].some((block) => block?.number === number)) return toFile(number);
      const available = await lookAtStatus();
      return available && number >= available.first && number <= available.last ? toFile(number) : null;
    },
    async newestInstant() {
      const available = await lookAtStatus();
      if (!available) return null;
      const [part] = await readBlock(available.last);
      try {
        const [header] = splitBlock(part!);
        const { blockTimestamp } = blockMessages.header.decode(header!.content);
        return toTimestamp(decodeMessage(proto.Timestamp, blockTimestamp));
      } catch (error) {
        throw toSourceError(error);
      }
    },
  };
}

function present<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}
