// The places of streams at a gRPC port: a client that holds fewer takes one from the client that holds most.
import type { Metadata } from '@grpc/grpc-js';
import type { Registry } from 'prom-client';
import { type Place, PlacesFull } from '../../../packages/kit/shares/client-places.ts';
import { createDoorPlaces } from '../../../packages/kit/shares/door-places.ts';
import { doorShares } from '../../../packages/kit/shares/door-shares.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import { clientOfCall } from './client-of-call.ts';
import { type GrpcError, grpcError } from './grpc-error.ts';
import { resetUnlessClosed } from './reset-stream.ts';

type Call = object & { getPeer(): string; metadata: Metadata };

export type CallPlaces = {
  /** `withdraw` ends the call with this error. Throws GrpcError. */
  enter(call: Call, withdraw: (error: GrpcError) => void): Place;
  clientOf(call: Call): string;
};

type Options = { door: 'grpcStreams' | 'blockStreams'; registry: Registry; clientOf: ClientOf; max?: number };

/** How long a client may leave its last status unread, ms. */
const readWithinMs = 5000;

export function createCallPlaces({ door, registry, clientOf, max }: Options): CallPlaces {
  const places = createDoorPlaces(door, { registry, ...(max !== undefined && { max }) });
  const retryAfterMs = 1000 * doorShares[door].retryAfterSeconds;
  return {
    clientOf: (call) => clientOfCall(clientOf, call),
    enter(call, withdraw) {
      const end = (): void => {
        withdraw(grpcError.withdrawn(retryAfterMs));
        void resetUnlessClosed(call, readWithinMs);
      };
      try {
        return places.enter(clientOfCall(clientOf, call), { withdraw: end });
      } catch (error) {
        throw error instanceof PlacesFull ? grpcError.full(error, retryAfterMs) : error;
      }
    },
  };
}
