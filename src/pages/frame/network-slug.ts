// The network's name as the first part of paths of pages. It may change once, from that of an unnamed network: routes
// have a parameter there, and a constraint says whose pages a path means.
import type { FastifyServerOptions } from 'fastify';
import type { NetworkIdentity } from '../../../packages/protocol/network-identity.ts';

/** First parts of paths that belong to something else. */
const taken = new Set([
  'address',
  'block',
  'api',
  'assets',
  'chains',
  'contracts',
  'check-all-by-addresses',
  'check-by-addresses',
  'docs',
  'favicon.ico',
  'favicon.svg',
  ...[
    'files',
    'health',
    'hiero',
    'metrics',
    'proof',
    'repo-ui',
    'repository',
    'robots.txt',
    'rpc',
    'search',
    'session',
  ],
  'signature-database',
  'spec',
  'status',
  'token',
  'tx',
  'v2',
  'verify',
  'verify-ui',
  'version',
]);

/** `former`: as the mirrored network was called when the process began. */
export type PathOwner = 'mirrored' | 'former' | 'public';

export type NetworkPaths = {
  /** The current one. */
  readonly slug: string;
  /** Whose pages a path is about; undefined = it is none of a page. */
  ownerOf(path: string): PathOwner | undefined;
};

export function createNetworkPaths(network: Pick<NetworkIdentity, 'name'>): NetworkPaths {
  const former = toNetworkSlug(network.name);
  // Asked for each request.
  let made = { name: network.name, slug: former };
  const current = (): string => {
    if (made.name !== network.name) made = { name: network.name, slug: toNetworkSlug(network.name) };
    return made.slug;
  };
  return {
    get slug() {
      return current();
    },
    ownerOf(path) {
      const [first] = /^[^/?]*/.exec(path.slice(1))!;
      const named = first.toLowerCase();
      if (named === current()) return 'mirrored';
      if (named === former) return 'former';
      return publicNetworks.includes(named) ? 'public' : undefined;
    },
  };
}

/** Beginning of the routes of pages. */
export const pagesStart = '/:network';

/** Options of a route below `pagesStart`. */
export const ofNetwork = (owner: PathOwner) => ({ constraints: { network: owner } });

type Constraint = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>[string];

/** For the router, which keeps a handler for each owner. */
export function networkConstraint(paths: NetworkPaths): Constraint {
  return {
    name: 'network',
    storage() {
      const handlers = new Map<unknown, Parameters<ReturnType<Constraint['storage']>['set']>[1]>();
      return {
        get: (owner) => handlers.get(owner) ?? null,
        set: (owner, handler) => void handlers.set(owner, handler),
      };
    },
    deriveConstraint: ({ url }) => paths.ownerOf(url ?? '/') ?? '',
  };
}

/** The name where it can stand in a path; else `ledger`. */
export function toNetworkSlug(networkName: string): string {
  const name = networkName.toLowerCase();
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !taken.has(name) ? name : 'ledger';
}

/** Public networks: links to their pages on another site may end here. */
const publicNetworks: readonly string[] = ['mainnet', 'testnet', 'previewnet'];
