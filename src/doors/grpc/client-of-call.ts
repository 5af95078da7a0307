// Whose share a call of gRPC takes: the same name that its client has over HTTP.
import type { Metadata } from '@grpc/grpc-js';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';

type Call = { getPeer(): string; metadata: Metadata };

export function clientOfCall(clientOf: ClientOf, call: Call): string {
  const headers = Object.fromEntries(
    Object.entries(call.metadata.getMap()).map(([name, value]) => [name, String(value)]),
  );
  // Address and port, without brackets; `unknown` of a connection that is gone.
  const remoteAddress = call.getPeer().replace(/:\d+$/, '');
  return clientOf({ headers, socket: { remoteAddress } });
}
