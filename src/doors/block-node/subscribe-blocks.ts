// What a subscriber gets: the blocks that are there, then those that come, one at a time, and a status at the end.
// Which requests are refused, and with which status, is as block nodes do it.
import { StreamFileError } from '../../../packages/protocol/stream-file-error.ts';
import { encodeVarint, intField, messageField } from '../../../packages/protocol/wire-writer.ts';
import { BlockMissingError } from './block-source.ts';
import type { Growth } from './growth.ts';
import { type HeldBlocks, isHeld } from './held-blocks.ts';
import type { OpenBlocks } from './open-blocks.ts';

/** SubscribeStreamResponse.Code */
const endCodes = {
  SUCCESS: 1,
  INVALID_REQUEST: 2,
  ERROR: 3,
  INVALID_START_BLOCK_NUMBER: 4,
  INVALID_END_BLOCK_NUMBER: 5,
  NOT_AVAILABLE: 6,
} as const;
export type EndCode = keyof typeof endCodes;

/** As they are sent: the largest uint64 for what is open. */
export type BlocksAsked = { start: bigint; end: bigint };

export type SubscribeContext = {
  held: HeldBlocks;
  blocks: OpenBlocks;
  growth: Growth;
  onFailure(error: unknown, number: bigint): void;
};

/** Resolves when the client has taken it; throws when it is gone. */
export type Send = (message: Buffer) => Promise<void>;

export const openNumber = 2n ** 64n - 1n;
/** Beyond it nothing is stored. */
const maxNumber = 2n ** 63n - 1n;
/** How far from the newest block a start may lie. */
const maxAhead = 4000n;

export const statusMessage = (code: EndCode): Buffer => Buffer.from([8, endCodes[code]]);

function itemsMessage(items: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0x12), encodeVarint(BigInt(items.length)), items]);
}

const endOfBlock = (number: bigint): Buffer => Buffer.concat(messageField(3, [intField(1, number)]));

/** Returns the status that is to be sent last. Throws what `send` throws. */
export async function subscribeBlocks(
  { held, blocks, growth, onFailure }: SubscribeContext,
  asked: BlocksAsked,
  { send, signal }: { send: Send; signal: AbortSignal },
): Promise<EndCode> {
  const refused = refuseAsked(asked);
  if (refused) return refused;
  // From here on nothing that comes is missed.
  const joined = await growth.join();
  try {
    await held.refresh();
    const end = asked.end === openNumber ? null : asked.end;
    const begin = findBegin(held, asked, end);
    if (begin === null) return 'NOT_AVAILABLE';
    for (let number = begin; end === null || number <= end; ) {
      const turn = growth.turn();
      const code = await sendNext(number);
      if (code === 'later') await growth.changed(turn, signal);
      else if (code !== 'sent') return code;
      else number += 1n;
      // The server ends.
      if (signal.aborted) return 'SUCCESS';
    }
    return 'SUCCESS';
  } finally {
    joined.leave();
  }

  async function sendNext(number: bigint): Promise<'sent' | 'later' | EndCode> {
    const spans = held.spans();
    if (!isHeld(spans, number)) return number > (held.newest() ?? -1n) ? 'later' : 'NOT_AVAILABLE';
    const pieces = blocks.pieces(number, signal);
    try {
      for (;;) {
        const next = await pieces.next().catch((error: unknown) => ({ error }));
        if ('error' in next) return tellFailure(next.error, number);
        if (next.done) break;
        await send(itemsMessage(next.value));
      }
    } finally {
      // The client may be gone in the middle.
      await pieces.return(undefined);
    }
    await send(endOfBlock(number));
    return 'sent';
  }

  function tellFailure(error: unknown, number: bigint): EndCode {
    if (signal.aborted) return 'SUCCESS';
    held.noteMissing(number);
    if (error instanceof BlockMissingError) return 'NOT_AVAILABLE';
    onFailure(error, number);
    return error instanceof StreamFileError ? 'NOT_AVAILABLE' : 'ERROR';
  }
}

/** The status of a request that is wrong in itself. */
function refuseAsked({ start, end }: BlocksAsked): EndCode | null {
  if (start > maxNumber && start !== openNumber) return 'INVALID_START_BLOCK_NUMBER';
  if (end > maxNumber && end !== openNumber) return 'INVALID_END_BLOCK_NUMBER';
  return end !== openNumber && start !== openNumber && start > end ? 'INVALID_END_BLOCK_NUMBER' : null;
}

/** null: it is not available. */
function findBegin(held: HeldBlocks, { start }: BlocksAsked, end: bigint | null): bigint | null {
  const first = held.spans()[0]?.first ?? null;
  const newest = held.newest() ?? -1n;
  if (start === openNumber && end === null) return newest + 1n;
  if (first === null) return null;
  if (start === openNumber) return first <= end! ? first : null;
  return start < first || start > newest + maxAhead ? null : start;
}
