// What is behind a proxy, asked for a client: of the mirrored ledger at its database and its machine, which have lines of
// their own; of other chains at their endpoints, where each client has a few questions at a time and answers are kept
// for a moment.
import { LRUCache } from 'lru-cache';
import { createClientPlaces, PlacesFull } from '../kit/shares/client-places.ts';
import { aside, currentClient } from '../kit/shares/current-client.ts';
import { type ContractProxy, findProxy } from './onchain/find-proxy.ts';
import type { Chain } from './registry/chain-registry.ts';
import type { OnchainSource } from './terms/onchain-contract.ts';
import { cannotFetch, VerificationError } from './terms/verification-error.ts';

/** null = it is no proxy. Throws a VerificationError if the chain does not answer, or too much is asked of it. */
export type FindProxyOf = (chain: Chain, address: string) => Promise<ContractProxy | null>;

type Options = {
  onchainSource: (chain: Chain) => OnchainSource;
  /** Questions to other chains at a time, of all clients and of one. */
  maxAsked?: number;
  perClient?: number;
  /** For all that one question makes of its chain. */
  maxMs?: number;
};

const keptMs = 15_000;
const maxKept = 10_000;

export function createProxyLookup(options: Options): FindProxyOf {
  const { onchainSource, maxAsked = 32, perClient = 4, maxMs = 20_000 } = options;
  const places = createClientPlaces({ max: maxAsked, perClient });
  const kept = new LRUCache<string, { proxy: ContractProxy | null }, Chain>({
    max: maxKept,
    ttl: keptMs,
    fetchMethod: async (key, _old, { context: chain }) => ({
      proxy: await withPlace(() => ask(chain, key.slice(key.indexOf(' ') + 1))),
    }),
  });

  async function ask(chain: Chain, address: string): Promise<ContractProxy | null> {
    const source = onchainSource(chain);
    return findProxy(await source.read(address), source);
  }

  /** Who waits for another chain takes no place among answers. */
  async function withPlace<T>(work: () => Promise<T>): Promise<T> {
    const withdrawn = Promise.withResolvers<never>();
    // Nothing may be waiting for it.
    withdrawn.promise.catch(() => {});
    try {
      const place = places.enter(currentClient(), { withdraw: () => withdrawn.reject(tooMany()) });
      return await aside(() => Promise.race([work(), withdrawn.promise])).finally(place.leave);
    } catch (error) {
      throw error instanceof PlacesFull ? tooMany() : error;
    }
  }

  return async (chain, address) => {
    if (chain.bytecode.kind === 'ledger') return ask(chain, address);
    const late = Promise.withResolvers<never>();
    const why = `: what is behind a proxy was not answered in ${maxMs / 1000} seconds.`;
    const timer = setTimeout(() => late.reject(cannotFetch(chain.chainId, address, why)), maxMs);
    const found = kept.fetch(`${chain.chainId} ${address}`, { context: chain });
    found.catch(() => {});
    return Promise.race([found, late.promise])
      .then((answer) => answer!.proxy)
      .finally(() => clearTimeout(timer));
  };
}

function tooMany(): VerificationError {
  const message = 'Too many questions to other chains are waiting. Try again later.';
  return new VerificationError('too_many_jobs', message, { retryAfterSeconds: 5 });
}
