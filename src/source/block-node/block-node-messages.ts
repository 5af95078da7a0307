// The messages in block-node.proto, and where they go.
import type Long from 'long';
import { toBigInt } from '../../protocol/hapi/hapi.ts';
import { loadMessages } from '../../protocol/load-messages.ts';
import { intField } from '../../protocol/wire-writer.ts';

/** Services and methods of block nodes, as HTTP/2 paths. */
export const blockNodeMethods = {
  serverStatus: '/org.hiero.block.api.BlockNodeService/serverStatus',
  subscribeBlockStream: '/org.hiero.block.api.BlockStreamSubscribeService/subscribeBlockStream',
} as const;

export type BlockNodeStatus = {
  /** null while the node has no blocks. */
  available: { first: bigint; last: bigint } | null;
};

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
export type StreamEndCode = (typeof streamEndCodes)[number] | `code ${number}`;

const maxUint64 = 2n ** 64n - 1n;
const messages = loadMessages(new URL('./block-node.proto', import.meta.url));
const statusResponse = messages('ServerStatusResponse');
const subscribeResponse = messages('SubscribeStreamResponse');

export const serverStatusRequest = Buffer.alloc(0);

/** `to` null: on and on. */
export function encodeSubscribeRequest({ from, to }: { from: bigint; to: bigint | null }): Buffer {
  return Buffer.concat([intField(1, from), intField(2, to ?? maxUint64)].flat());
}

/** Throws where the bytes are no such message. */
export function decodeStatusResponse(bytes: Buffer): BlockNodeStatus {
  const { firstAvailableBlock, lastAvailableBlock } = statusResponse.decode(bytes) as unknown as StatusMessage;
  const [first, last] = [toUnsigned(firstAvailableBlock), toUnsigned(lastAvailableBlock)];
  return { available: first === maxUint64 || last === maxUint64 ? null : { first, last } };
}

type StatusMessage = { firstAvailableBlock: Long; lastAvailableBlock: Long };

/** Throws where the bytes are no such message. */
export function decodeSubscribeResponse(bytes: Buffer): SubscribeResponse {
  const message = subscribeResponse.decode(bytes) as unknown as SubscribeMessage;
  if (Object.hasOwn(message, 'blockItems')) return { kind: 'items', items: message.blockItems };
  if (message.endOfBlock) return { kind: 'endOfBlock', number: toUnsigned(message.endOfBlock.blockNumber) };
  if (!Object.hasOwn(message, 'status')) return { kind: 'unknown' };
  return { kind: 'status', code: streamEndCodes[message.status] ?? `code ${message.status}` };
}

type SubscribeMessage = { status: number; blockItems: Buffer; endOfBlock?: { blockNumber: Long } };

function toUnsigned(value: Long): bigint {
  return BigInt.asUintN(64, toBigInt(value));
}
