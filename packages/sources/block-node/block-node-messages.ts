// The messages in block-node.proto, and the methods they belong to.
import type Long from 'long';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { loadMessages } from '../../protocol/load-messages.ts';
import { visitWireFields, wireBytes } from '../../protocol/wire-fields.ts';
import { intField } from '../../protocol/wire-writer.ts';
import type { BlockRange } from './available-blocks.ts';
import type { BlockNodeMessages } from './block-node.generated.ts';

/** Services and methods of block nodes, as HTTP/2 paths. */
export const blockNodeMethods = {
  serverStatus: '/org.hiero.block.api.BlockNodeService/serverStatus',
  serverStatusDetail: '/org.hiero.block.api.BlockNodeService/serverStatusDetail',
  subscribeBlockStream: '/org.hiero.block.api.BlockStreamSubscribeService/subscribeBlockStream',
} as const;

/** Numbers of blocks; null where the node does not say one. */
export type BlockNodeStatus = { first: bigint | null; last: bigint | null; nextExpected: bigint | null };

export type SubscribeResponse =
  | { kind: 'items'; items: Buffer }
  | { kind: 'endOfBlock'; number: bigint }
  | { kind: 'status'; code: StreamEndCode }
  /** Of a later version. */
  | { kind: 'unknown' };

/** SubscribeStreamResponse.Code, by number. */
const streamEndCodes = [
  'UNKNOWN',
  'SUCCESS',
  'INVALID_REQUEST',
  'ERROR',
  'INVALID_START_BLOCK_NUMBER',
  'INVALID_END_BLOCK_NUMBER',
  'NOT_AVAILABLE',
] as const;
type StreamEndCode = (typeof streamEndCodes)[number] | `code ${number}`;
/** How a stream ended: with a code, or without the message that carries it. */
export type StreamEnd = StreamEndCode | 'no status';

const maxUint64 = 2n ** 64n - 1n;
const messages = loadMessages<BlockNodeMessages>(new URL('./block-node.proto', import.meta.url));
const statusResponse = messages('ServerStatusResponse');
const blockRange = messages('BlockRange');
const subscribeResponse = messages('SubscribeStreamResponse');

export const serverStatusRequest = Buffer.alloc(0);

/** `to` null: without end. */
export function encodeSubscribeRequest({ from, to }: { from: bigint; to: bigint | null }): Buffer {
  return Buffer.concat([intField(1, from), intField(2, to ?? maxUint64)].flat());
}

/** Throws if the bytes are not such a message. */
export function decodeStatusResponse(bytes: Buffer): BlockNodeStatus {
  const message = statusResponse.decode(bytes);
  return {
    first: toKnown(message.firstAvailableBlock),
    last: toKnown(message.lastAvailableBlock),
    // A node of an earlier version leaves it out, which reads as 0.
    nextExpected: toKnown(message.nextExpectedBlock) || null,
  };
}

/** A fragmented node may have millions of ranges; the number read is bounded. */
const maxRanges = 100_000;

/** The ranges as they were sent, in any order. Throws if the bytes are not such a message. */
export function decodeStatusDetailResponse(bytes: Buffer): BlockRange[] {
  const ranges: BlockRange[] = [];
  visitWireFields(bytes, (field, wireType, start, end) => {
    if (field !== 2 || wireType !== wireBytes) return;
    if (ranges.length === maxRanges) throw new Error(`more than ${maxRanges} ranges of blocks`);
    const { rangeStart, rangeEnd } = blockRange.decode(bytes.subarray(start, end));
    ranges.push({ first: toUnsigned(rangeStart), last: toUnsigned(rangeEnd) });
  });
  return ranges;
}

/** Throws if the bytes are not such a message. */
export function decodeSubscribeResponse(bytes: Buffer): SubscribeResponse {
  const message = subscribeResponse.decode(bytes);
  if (Object.hasOwn(message, 'blockItems')) return { kind: 'items', items: message.blockItems };
  if (message.endOfBlock) return { kind: 'endOfBlock', number: toUnsigned(message.endOfBlock.blockNumber) };
  if (!Object.hasOwn(message, 'status')) return { kind: 'unknown' };
  return { kind: 'status', code: streamEndCodes[message.status] ?? `code ${message.status}` };
}

function toKnown(value: Long): bigint | null {
  const number = toUnsigned(value);
  return number === maxUint64 ? null : number;
}

function toUnsigned(value: Long): bigint {
  return BigInt.asUintN(64, toBigInt(value));
}
