// Results that are kept for the next who asks the same, in the cache of REST's answers and by its rule: until a block
// is committed (docs/reference/answer-cache.md). Calls and traces are not among them, whose throttle counts each, nor
// filters.
import type { AnswerCache } from '../../api/frame/answer-cache.ts';
import { createFinishedResult, type FinishedResult, textOf } from './finished-result.ts';
import { createSpelledRequests } from './spelled-requests.ts';

export type KeptResults = {
  /** The result as JSON. */
  ask(question: Question): string | Promise<string>;
  /** For a body whose bytes were asked before, with whatever id. undefined = it has to be read, or asked. */
  find(body: Buffer): KeptAnswer | undefined;
  /** The next who sends these bytes, with whatever id, gets the result that is kept. `id`: as JSON. */
  learn(body: Buffer, request: { id: string; method: string; params: readonly unknown[] }): void;
};

type Question = {
  method: string;
  params: readonly unknown[];
  /** Makes it. */
  work(): Promise<string>;
  /** Around the work, unless another caller has asked the same and it is being made: it waits for its turn. */
  admit<T>(work: () => Promise<T>): Promise<T>;
};

/** `id`: as JSON. */
export type KeptAnswer = { method: string; id: string; result: FinishedResult };

const keptMethods: ReadonlySet<string> = new Set([
  'erigon_getHeaderByNumber',
  'eth_baseFee',
  'eth_blockNumber',
  'eth_feeHistory',
  'eth_gasPrice',
  'eth_getBalance',
  'eth_getBlockByHash',
  'eth_getBlockByNumber',
  'eth_getBlockReceipts',
  'eth_getBlockTransactionCountByHash',
  'eth_getBlockTransactionCountByNumber',
  'eth_getCode',
  'eth_getHeaderByHash',
  'eth_getHeaderByNumber',
  'eth_getLogs',
  'eth_getStorageAt',
  'eth_getTransactionByBlockHashAndIndex',
  'eth_getTransactionByBlockNumberAndIndex',
  'eth_getTransactionByHash',
  'eth_getTransactionBySenderAndNonce',
  'eth_getTransactionCount',
  'eth_getTransactionReceipt',
  'ots_getBlockDetails',
  'ots_getBlockDetailsByHash',
  'ots_getBlockTransactions',
  'ots_getContractCreator',
  'ots_getTransactionBySenderAndNonce',
  'ots_hasCode',
  'ots_searchTransactionsAfter',
  'ots_searchTransactionsBefore',
]);

export function isKept(method: string): boolean {
  return keptMethods.has(method);
}

/** A block that is not heard of makes an answer no older than REST's of a block. */
const maxAgeSeconds = 1;
/** Of its parameters. */
const maxKeyLength = 4096;
/** Of the bytes that requests came in, beside the answers. */
const maxSpelledBytes = 2 * 2 ** 20;

export function createKeptResults(cache: AnswerCache): KeptResults {
  const spelled = createSpelledRequests<{ method: string; key: string }>(maxSpelledBytes);

  return {
    ask({ method, params, work, admit }) {
      const key = keyOf(method, params);
      if (key === undefined) return admit(work);
      const found = cache.find<FinishedResult>(key);
      if (found) return textOf(found);
      const joined = cache.join<FinishedResult>(key, 1000 * maxAgeSeconds);
      return joined ? joined.then(textOf) : admit(() => askAndKeep(key, work));
    },
    find(body) {
      const found = spelled.find(body);
      const result = found && cache.find<FinishedResult>(found.question.key);
      return result && { method: found.question.method, id: found.id, result };
    },
    learn(body, { id, method, params }) {
      const key = isKept(method) ? keyOf(method, params) : undefined;
      if (key !== undefined) spelled.learn(body, id, { method, key }, key.length);
    },
  };

  async function askAndKeep(key: string, work: () => Promise<string>): Promise<string> {
    const result = await cache.ask<FinishedResult>(key, 1000 * maxAgeSeconds, async () => {
      const text = await work();
      // Clients ask for what is not there yet until it is.
      const keep = text === 'null' ? undefined : { maxAge: maxAgeSeconds, settledBy: null };
      return { answer: createFinishedResult(text), keep };
    });
    return textOf(result);
  }
}

/** Those of REST begin with a slash or a digit. undefined = it is too long to be kept. */
function keyOf(method: string, params: readonly unknown[]): string | undefined {
  const given = JSON.stringify(params);
  return given.length > maxKeyLength ? undefined : `${method} ${given}`;
}
