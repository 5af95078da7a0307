// Whose share a request takes: the owner of its API key, else the network of its address. Behind proxies that are
// trusted it is the address that they name.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import proxyAddr from '@fastify/proxy-addr';
import { toClientNetwork } from './client-network.ts';

/** What says who sent it; calls of gRPC say the same in other words. */
type ClientSource = {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  socket: Pick<Socket, 'remoteAddress'>;
};

export type ClientOf = (request: ClientSource) => string;

export type ClientOfOptions = {
  /** Addresses and networks of proxies. */
  trustProxy?: readonly string[];
  /** API key → name of its owner. */
  keys?: ReadonlyMap<string, string>;
};

type Known = { forwarded: string | string[] | undefined; network: string };

export function createClientOf({ trustProxy = [], keys = new Map() }: ClientOfOptions = {}): ClientOf {
  const isTrusted = trustProxy.length > 0 ? proxyAddr.compile([...trustProxy]) : null;
  /** Of a connection: its requests mostly come from one client. */
  const known = new WeakMap<object, Known>();

  return (request) => {
    const { headers, socket } = request;
    const key = headers['x-api-key'];
    const owner = key === undefined ? undefined : keys.get(String(key));
    if (owner !== undefined) return `key ${owner}`;
    const forwarded = isTrusted ? headers['x-forwarded-for'] : undefined;
    const before = known.get(socket);
    if (before && before.forwarded === forwarded) return before.network;
    const address = isTrusted ? proxyAddr(request as unknown as IncomingMessage, isTrusted) : socket.remoteAddress;
    // With brackets and port an address has at most 53 characters; a proxy may pass on anything.
    const network = toClientNetwork((address ?? 'unknown').slice(0, 53));
    known.set(socket, { forwarded, network });
    return network;
  };
}

/** Whose connection it is, before it has said anything. */
type ConnectionOwner = { client: string; isProxy: boolean };
export type OwnerOf = (socket: Pick<Socket, 'remoteAddress'>) => ConnectionOwner;

/** `trustProxy`: a connection of one of these is that of many clients. */
export function createOwnerOf(trustProxy: readonly string[] = []): OwnerOf {
  const isTrusted = trustProxy.length > 0 ? proxyAddr.compile([...trustProxy]) : () => false;
  return ({ remoteAddress = 'unknown' }) => ({
    client: toClientNetwork(remoteAddress),
    isProxy: isTrusted(remoteAddress, 0),
  });
}
