// Block nodes that the ledger registers, as further sources: read from the database whenever they are needed, so that
// they follow the ledger. Registrations are not trusted: the number of nodes used and their addresses are restricted.
import { isIP, isIPv4 } from 'node:net';
import type { BlockNodeAddress, BlockNodeEndpoint } from '../../../packages/sources/source-places.ts';
import type { StreamSource } from '../../../packages/sources/stream-source.ts';
import type { RegisteredNode } from '../../ledger/network/create-registered-nodes.ts';
import { createHostResolver, type HostResolver, type HostResolverOptions } from './create-host-resolver.ts';
import {
  type BlockNodeEndpoints,
  findBlockNodeEndpoints,
  type RegisteredEndpoint,
} from './find-block-node-endpoints.ts';

export type BlockNodeDiscoveryOptions = {
  /** Block nodes that the operator has named. */
  named: readonly BlockNodeAddress[];
  /** In a fixed order: the first ones are used. */
  listRegistered(): Promise<readonly RegisteredNode[]>;
  open(address: BlockNodeAddress): StreamSource;
  log: Log;
  lookUp?: HostResolverOptions['lookUp'];
};

type Log = Record<'info' | 'warn', (facts: object, sentence: string) => void>;

/** At most this many are used at a time. */
const maxNodes = 8;
/** For the addresses of one host, and for all. */
const resolveMs = 3_000;
const resolveAllMs = 6_000;

/** The current ones; an unchanged node stays the same source. Never rejects: failures are logged. */
export function createBlockNodeDiscovery(options: BlockNodeDiscoveryOptions): () => Promise<readonly StreamSource[]> {
  const { named, listRegistered, open, log, lookUp } = options;
  const namedTargets = new Set(named.map(({ subscription }) => subscription.target.toLowerCase()));
  let sources = new Map<string, StreamSource>();
  /** Why registered nodes are not used, as last logged. */
  let refusals = new Map<bigint, string>();

  async function findAddresses(): Promise<BlockNodeAddress[]> {
    const trustedHosts = named.flatMap(({ subscription, status }) => [subscription, status]).map(hostOf);
    const resolver = await createHostResolver({ trustedHosts, timeoutMs: resolveMs, lookUp });
    const found: BlockNodeAddress[] = [];
    const refused = new Map<bigint, string>();
    const candidates = (await listRegistered()).flatMap((node) => {
      const endpoints = findBlockNodeEndpoints(node);
      if (endpoints)
        return namedTargets.has(toText(endpoints.subscription)) ? [] : [{ id: node.registeredNodeId, endpoints }];
      refused.set(
        node.registeredNodeId,
        'it names no endpoint for subscriptions and one for the status, each with a host and a port',
      );
      return [];
    });
    const untilMs = performance.now() + resolveAllMs;
    for (let at = 0; at < candidates.length && found.length < maxNodes && performance.now() < untilMs; at += maxNodes) {
      const some = candidates.slice(at, at + maxNodes);
      const results = await Promise.allSettled(some.map(({ endpoints }) => toAddress(endpoints, resolver)));
      for (const [place, result] of results.entries()) {
        if (result.status === 'fulfilled') found.push(result.value);
        else refused.set(some[place]!.id, (result.reason as Error).message);
      }
    }
    for (const [id, reason] of refused) {
      if (refusals.get(id) !== reason) {
        log.warn({ registeredNode: id.toString() }, `A registered block node is not used: ${reason}`);
      }
    }
    refusals = refused;
    return found.slice(0, maxNodes);
  }

  return async () => {
    try {
      const addresses = await findAddresses();
      const before = [...sources.keys()].join();
      sources = new Map(
        addresses.map((address) => {
          const key = JSON.stringify(address);
          return [key, sources.get(key) ?? open(address)];
        }),
      );
      if ([...sources.keys()].join() !== before) {
        const names = addresses.map(({ name }) => name).join(', ');
        log.info({ sources: names }, 'These block nodes, which the ledger registers, are further sources');
      }
    } catch (error) {
      log.warn({ err: error }, 'Registered block nodes cannot be read; the earlier ones stay in use');
    }
    return [...sources.values()];
  };
}

/** Throws an Error that says why an endpoint cannot be used. */
async function toAddress(endpoints: BlockNodeEndpoints, resolver: HostResolver): Promise<BlockNodeAddress> {
  const subscription = await toTarget(endpoints.subscription, resolver);
  const name = toUrl(endpoints.subscription);
  if (toUrl(endpoints.status) === name) return { name, subscription, status: subscription };
  const { host, port, isSecure } = endpoints.status;
  const isBeside = host === endpoints.subscription.host && isSecure === subscription.isSecure;
  return {
    name: isBeside ? `${name}?status=${port}` : `${name} (status at ${toUrl(endpoints.status)})`,
    subscription,
    status: await toTarget(endpoints.status, resolver),
  };
}

async function toTarget(endpoint: RegisteredEndpoint, resolver: HostResolver): Promise<BlockNodeEndpoint> {
  const { host, port, isSecure } = endpoint;
  const addresses = await resolver.resolve(host);
  if (isIP(host)) return { target: toText({ host: addresses[0]!, port }), isSecure };
  // A gRPC target is of one address family.
  const ofIPv4 = addresses.filter((address) => isIPv4(address));
  const [scheme, family] = ofIPv4.length > 0 ? ['ipv4', ofIPv4] : ['ipv6', addresses];
  const target = `${scheme}:${family.map((address) => toText({ host: address, port })).join()}`;
  return { target, isSecure, authority: toText(endpoint) };
}

function toUrl(endpoint: RegisteredEndpoint): string {
  return `${endpoint.isSecure ? 'grpcs' : 'grpc'}://${toText(endpoint)}`;
}

function toText({ host, port }: Pick<RegisteredEndpoint, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function hostOf({ target }: BlockNodeEndpoint): string {
  return target.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}
