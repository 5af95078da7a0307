// The price of gas as of a moment. It changes with two system files, a few times a day at most, and every block is asked for
// it: what was asked is kept.
import { LRUCache } from 'lru-cache';
import type { GasFeesQuestion } from '../network/network.ts';

/** `upTo`: ns; null = now. null = no file says it. tinybar */
export type PriceQuestion = (upTo: bigint | null) => Promise<bigint | null>;

/** Each takes some 200 bytes. */
const maxMoments = 10_000;

export function createPrices(gasFees: GasFeesQuestion): PriceQuestion {
  // What the files said at a moment of the stored past does not change.
  const kept = new LRUCache<bigint, { price: bigint | null }>({ max: maxMoments });

  async function ask(upTo: bigint | null): Promise<bigint | null> {
    const found = await gasFees({ from: null, to: upTo });
    if ('missingFileId' in found) return null;
    return found.fees.find(({ transactionType }) => transactionType === 'EthereumTransaction')?.gas ?? null;
  }

  return async (upTo) => {
    if (upTo === null) return ask(null);
    const known = kept.get(upTo);
    if (known) return known.price;
    const price = await ask(upTo);
    if (price !== null) kept.set(upTo, { price });
    return price;
  };
}
