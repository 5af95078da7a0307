// Results that are kept for the next who asks the same, in the cache of REST's answers and by its rule: until a block is
// committed (docs/reference/answer-cache.md). Calls and traces are not among them, whose throttle counts each, nor filters.
import type { AnswerCache } from '../../http/frame/answer-cache.ts';

/** The result as JSON; `work` makes it. */
export type KeptResults = (
  method: string,
  params: readonly unknown[],
  work: () => Promise<string>,
) => string | Promise<string>;

const keptMethods: ReadonlySet<string> = new Set([
  ...['eth_blockNumber', 'eth_feeHistory', 'eth_gasPrice', 'eth_getBalance', 'eth_getBlockByHash'],
  ...['eth_getBlockByNumber', 'eth_getBlockReceipts', 'eth_getBlockTransactionCountByHash'],
  ...['eth_getBlockTransactionCountByNumber', 'eth_getCode', 'eth_getLogs', 'eth_getStorageAt'],
  ...['eth_getTransactionByBlockHashAndIndex', 'eth_getTransactionByBlockNumberAndIndex'],
  ...['eth_getTransactionByHash', 'eth_getTransactionCount', 'eth_getTransactionReceipt'],
]);

export function isKept(method: string): boolean {
  return keptMethods.has(method);
}

/** A block that is not heard of makes an answer no older than REST's of a block. */
const maxAgeSeconds = 1;
/** Of its parameters. */
const maxKeyLength = 4096;

export function createKeptResults(cache: AnswerCache): KeptResults {
  return (method, params, work) => {
    const given = JSON.stringify(params);
    if (given.length > maxKeyLength) return work();
    // Those of REST begin with a slash.
    const key = `${method} ${given}`;
    const found = cache.find(key);
    if (found) return found.bytes;
    return askAndKeep(key, work);
  };

  async function askAndKeep(key: string, work: () => Promise<string>): Promise<string> {
    const { bytes } = await cache.ask(key, 1000 * maxAgeSeconds, async () => {
      const text = await work();
      const answer = { status: 200, bytes: text, headers: [], unchanged: null, compressed: null };
      // Clients ask for what is not there yet until it is.
      return { answer, keep: text === 'null' ? undefined : { maxAge: maxAgeSeconds, settledBy: null } };
    });
    return bytes;
  }
}
