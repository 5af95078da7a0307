// The blocks of a node from one number on, over as many subscriptions as needed: a node also ends a stream with SUCCESS
// when it shuts down or when a subscription has lasted long enough, so only the last requested block is the end. What
// may be temporary is tried again after a pause; a node whose streams keep ending without a block is left.
import { createBackOff } from '../../kit/back-off.ts';
import { pause } from '../../kit/pause.ts';
import type { BlockNodeAddress } from '../source-places.ts';
import { findRange, isToCome } from './available-blocks.ts';
import { type AssembledBlock, type BlockAssembler, createBlockAssembler } from './block-assembler.ts';
import type { BlockNodeClient } from './block-node-client.ts';
import { BlockNodeAwayError, blockNodeFailed, blockNodeLacks, isAskedAgain, streamEnded } from './block-node-error.ts';
import type { BlockNodeLimits } from './block-node-limits.ts';
import type { StreamEnd, SubscribeResponse } from './block-node-messages.ts';

export type ReadBlocksOptions = {
  address: BlockNodeAddress;
  limits: BlockNodeLimits;
  client: BlockNodeClient;
  from: bigint;
  /** null: without end. */
  to: bigint | null;
  /** Ends after this time without anything new. */
  quietMs: number;
  signal?: AbortSignal;
};

/** A block with its successor, if that came in time. */
export type ReadBlock = { block: AssembledBlock; next: AssembledBlock | null };

/** `waiting`: the last block that came, which waits for its successor, the block that is due. */
type Reading = { waiting: AssembledBlock | null; due: bigint };

const moreTime = 'Name another node, or give it more time with --source-timeout where the way to it is slow';

/** In order. Ends after `to`, with the signal, or when there is nothing new. */
export async function* readBlocks(options: ReadBlocksOptions): AsyncGenerator<ReadBlock> {
  const { address, limits, client, from, to, quietMs, signal } = options;
  const { answerMs, stallMs, confirmMs, blockMs } = limits;
  const at: Reading = { waiting: null, due: from };
  const pauses = createBackOff(limits.pauseMs, 8 * limits.pauseMs);
  for (let endsInRow = 0, isFirst = true; ; isFirst = false) {
    const before = at.due;
    const end = yield* readOn(isFirst);
    if (end === 'over') return;
    const hasMoved = at.due > before;
    if (hasMoved) {
      endsInRow = 0;
      pauses.reset();
    }
    endsInRow += 1;
    // The waiting block is dropped too: the node has its successor but does not send it; another node may send both.
    if (!isAskedAgain(end) || endsInRow >= limits.attempts) {
      throw end instanceof BlockNodeAwayError ? end : streamEnded(address, end, at.due, endsInRow);
    }
    if (!(hasMoved && end === 'SUCCESS') && !(await pause(pauses.next(), signal))) return;
  }

  /** Not live, a broken connection is one of the ends; live, another source has the next block sooner. */
  async function* readOn(isFirst: boolean): AsyncGenerator<ReadBlock, StreamEnd | BlockNodeAwayError | 'over'> {
    try {
      if (!isFirst) yield* checkDue();
      return yield* readSubscription();
    } catch (error) {
      if (to === null || !(error instanceof BlockNodeAwayError)) throw error;
      return error;
    }
  }

  /**
   * The node may have nothing more: then the newest block waits no longer. Throws if the due block is not sent either.
   */
  async function* checkDue(): AsyncGenerator<ReadBlock> {
    const available = await client.available(answerMs);
    if (findRange(available, at.due)) return;
    if (at.waiting) yield { block: at.waiting, next: null };
    at.waiting = null;
    if (to !== null || !isToCome(available, at.due)) throw blockNodeLacks(address, at.due, available);
  }

  /** 'over': everything requested came. Otherwise how the node ended the stream before that. */
  async function* readSubscription(): AsyncGenerator<ReadBlock, StreamEnd | 'over'> {
    const assembler = createBlockAssembler(at.due, limits.blockLimits);
    const stream = client.subscribe({ from: at.due, to });
    let blockAtMs = performance.now();
    let messageAtMs = performance.now();
    try {
      for (;;) {
        const response = await stream.next(Math.min(stallMs, quietMs, at.waiting ? confirmMs : stallMs));
        if (response === 'nothing') {
          const silentMs = performance.now() - messageAtMs;
          const hasMore = await hasDue();
          if (hasMore && silentMs >= stallMs) {
            throw blockNodeFailed(address, `has block ${at.due} but does not send it`, moreTime);
          }
          if (!hasMore && at.waiting) yield { block: at.waiting, next: null };
          if (!hasMore) at.waiting = null;
          if (!hasMore && silentMs >= quietMs) return 'over';
          continue;
        }
        const blocks = take(response, assembler);
        for (const block of blocks) {
          if (at.waiting) yield { block: at.waiting, next: block };
          at.waiting = block;
          at.due = block.number + 1n;
        }
        // The reader's own time does not count.
        messageAtMs = performance.now();
        if (blocks.length > 0) blockAtMs = messageAtMs;
        if (at.waiting && at.waiting.number === to) {
          yield { block: at.waiting, next: null };
          return 'over';
        }
        if (response === null) return 'no status';
        if (response.kind === 'status') return response.code;
        if (messageAtMs - blockAtMs > blockMs) {
          throw blockNodeFailed(address, `needs more than ${blockMs / 1000} s for block ${at.due}`, moreTime);
        }
      }
    } finally {
      stream.cancel();
    }
  }

  async function hasDue(): Promise<boolean> {
    return findRange(await client.available(answerMs), at.due) !== undefined;
  }
}

/** The blocks that this message completes. */
function take(response: SubscribeResponse | null, assembler: BlockAssembler): AssembledBlock[] {
  if (response?.kind === 'items') return assembler.addItems(response.items);
  if (response?.kind === 'endOfBlock') return present(assembler.endBlock(response.number));
  // After an orderly end only the last block's end-of-block message is missing.
  const isOrderly = response === null || (response.kind === 'status' && response.code === 'SUCCESS');
  return isOrderly ? present(assembler.endStream()) : [];
}

function present<T>(value: T | null): T[] {
  return value === null ? [] : [value];
}
