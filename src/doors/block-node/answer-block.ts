// A single block in one message, as block nodes answer it.
import type Long from 'long';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { PlacesFull } from '../../../packages/kit/shares/client-places.ts';
import { currentClient } from '../../../packages/kit/shares/current-client.ts';
import { createDoorPlaces } from '../../../packages/kit/shares/door-places.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import { encodeVarint } from '../../../packages/protocol/wire-writer.ts';
import { GrpcError, grpcError } from '../grpc/grpc-error.ts';
import { BlockMissingError } from './block-source.ts';
import { type HeldBlocks, isHeld } from './held-blocks.ts';
import type { OpenBlocks } from './open-blocks.ts';
import { openNumber } from './subscribe-blocks.ts';

export type BlockAsked = { block_number?: Long; retrieve_latest?: boolean };

/** BlockResponse.Code */
const codes = { SUCCESS: 1, INVALID_REQUEST: 2, ERROR: 3, NOT_FOUND: 4, NOT_AVAILABLE: 5 } as const;
type Code = keyof typeof codes;

/** A message holds no more of one: it is sent as a stream. */
const maxBlockBytes = 128 * 1024 * 1024;
/**
 * Of those that have more than this few are in memory, each for another client: one may take it as slowly as it likes.
 */
const maxSmallBytes = 4 * 1024 * 1024;

type Options = { held: HeldBlocks; blocks: OpenBlocks; log: Logger; registry: Registry };
type Answer = { code: Code; message: Buffer; isFailure?: boolean; leave(): void };

export function createBlockAnswerer({ held, blocks, log, registry }: Options) {
  const large = createDoorPlaces('largeAnswers', { registry });

  /** `leave` is called when the message was sent. Throws GrpcError, and the reason of the signal. */
  return async (asked: BlockAsked, signal: AbortSignal): Promise<Answer> => {
    await held.refresh();
    const spans = held.spans();
    const number = readNumber(asked, spans.at(-1)?.last ?? null);
    if (number === 'invalid') return toAnswer('INVALID_REQUEST');
    if (number === null || !isHeld(spans, number)) return toAnswer('NOT_AVAILABLE');
    const pieces: Buffer[] = [];
    let sizeBytes = 0;
    let leave = (): void => {};
    try {
      for await (const piece of blocks.pieces(number, signal)) {
        if (sizeBytes <= maxSmallBytes && sizeBytes + piece.length > maxSmallBytes) leave = takeLarge();
        sizeBytes += piece.length;
        if (sizeBytes > maxBlockBytes) {
          leave();
          return toAnswer('NOT_AVAILABLE');
        }
        pieces.push(piece);
      }
      return toAnswer('SUCCESS', { pieces, sizeBytes, leave });
    } catch (error) {
      leave();
      if (signal.aborted || error instanceof GrpcError) throw error;
      held.noteMissing(number);
      const isFailure = !(error instanceof BlockMissingError);
      if (isFailure) log.warn({ err: error, block: number }, 'A block could not be answered');
      return { ...toAnswer('NOT_FOUND'), isFailure };
    }
  };

  /** Throws GrpcError. */
  function takeLarge(): () => void {
    try {
      return large.enter(currentClient(), { withdraw: () => {} }).leave;
    } catch (error) {
      throw error instanceof PlacesFull
        ? grpcError.full(error, 1000 * doorShares.largeAnswers.retryAfterSeconds)
        : error;
    }
  }
}

/** null: there is none. The largest number is the newest. */
function readNumber(asked: BlockAsked, newest: bigint | null): bigint | null | 'invalid' {
  if (!Object.hasOwn(asked, 'block_number')) return asked.retrieve_latest ? newest : 'invalid';
  const number = BigInt(`${asked.block_number}`);
  if (number === openNumber) return newest;
  return number < 2n ** 63n ? number : 'invalid';
}

type Whole = { pieces: readonly Buffer[]; sizeBytes: number; leave(): void };

/** BlockResponse: 1 status, 2 block. */
function toAnswer(code: Code, block: Whole | null = null): Answer {
  const status = Buffer.of(8, codes[code]);
  if (!block) return { code, message: status, leave() {} };
  const { pieces, sizeBytes, leave } = block;
  return { code, message: Buffer.concat([status, Buffer.of(0x12), encodeVarint(BigInt(sizeBytes)), ...pieces]), leave };
}
