// The explorers of a chain, asked in order until one has a record. Each one's rate limit is kept, "not verified" is
// cached for a while, and a failure counts only if no other explorer has the record.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kit/shares/growing-to.ts';
import type { Chain, Explorer } from '../registry/chain-registry.ts';
import { VerificationError } from '../terms/verification-error.ts';
import { askExplorer, askForCreation } from './ask-explorer.ts';
import { rateLimited } from './etherscan-answer.ts';
import type { ExplorerAnswer } from './explorer-record.ts';
import { createRateGate, type RateGate } from './rate-gate.ts';

export type Explorers = {
  /**
   * `addresses`: of one contract, likeliest first. null = no explorer has a verified source for any of them. Throws a
   * VerificationError if that is not known.
   */
  findRecord(chain: Chain, addresses: readonly string[], apiKey: string | undefined): Promise<ExplorerAnswer>;
};

export type ExplorersOptions = {
  /** How long "not verified" is cached. */
  notVerifiedMs?: number;
};

const max = 10_000;

export function createExplorers({ notVerifiedMs = 120_000 }: ExplorersOptions = {}): Explorers {
  const gates = new Map<string, RateGate>();
  const notVerified = new LRUCache<string, true>(growingTo(max));
  /** A rate limit concerns one key: others continue. Keys are identified by their hashes. */
  const paused = new LRUCache<string, true>(growingTo(max));

  /** One rate for an explorer and all keys of requests: all requests come from this machine. */
  function gateOf({ location, ratePerSecond }: Explorer): RateGate {
    const gate = gates.get(location) ?? createRateGate({ ratePerSecond });
    gates.set(location, gate);
    return gate;
  }

  async function ask(explorer: Explorer, { chainId, bytecode }: Chain, address: string, key: string | undefined) {
    const id = JSON.stringify([explorer.location, chainId, address]);
    if (notVerified.has(id)) return null;
    const gate = gateOf(explorer);
    const pauseId = JSON.stringify([explorer.location, key === undefined ? null : hash('sha256', key)]);
    const pauseMs = paused.getRemainingTTL(pauseId);
    const waitSeconds = pauseMs > 0 ? Math.ceil(pauseMs / 1000) : await gate.pass();
    if (waitSeconds > 0) throw rateLimited(explorer.name, waitSeconds);
    try {
      const lookup = { chainId, address, key };
      const answer = await askExplorer(explorer, lookup);
      if (answer === null && explorer.kind !== 'folder') remember(notVerified, id, notVerifiedMs);
      // Our own chains know their creations.
      const isUnknown = answer !== null && answer.creationTransactionHash === undefined && bytecode.kind !== 'ledger';
      if (!isUnknown || (await gate.pass()) > 0) return answer;
      const creationTransactionHash = await askForCreation(explorer, lookup);
      return creationTransactionHash === undefined ? answer : { ...answer, creationTransactionHash };
    } catch (error) {
      if (error instanceof VerificationError && error.code === 'etherscan_limit') {
        remember(paused, pauseId, (error.retryAfterSeconds ?? 1) * 1000);
      }
      throw error;
    }
  }

  return {
    async findRecord(chain, addresses, apiKey) {
      const { explorers } = chain;
      const keyed = explorers.find(({ takesKey }) => takesKey);
      const failures: VerificationError[] = [];
      for (const explorer of explorers) {
        const key = explorer === keyed ? (apiKey ?? explorer.key) : explorer.key;
        try {
          for (const address of addresses) {
            const answer = await ask(explorer, chain, address, key);
            if (answer !== null) return answer;
          }
        } catch (error) {
          if (!(error instanceof VerificationError)) throw error;
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
      return null;
    },
  };
}

/** The cache reads a TTL of 0 as "forever". */
function remember(cache: LRUCache<string, true>, id: string, ttl: number): void {
  if (ttl > 0) cache.set(id, true, { ttl });
}
