import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { methods } from '../../src/doors/rpc/methods/methods.ts';
import { withMethods } from './rpc-methods-page.ts';

const page = new URL('../../docs/reference/json-rpc.md', import.meta.url);

// `UPDATE_PAGES=1 npm test` writes the table.
test('the page of JSON-RPC lists every method as the table has it', () => {
  const text = readFileSync(page, 'utf8');
  if (process.env.UPDATE_PAGES) writeFileSync(page, withMethods(text));
  expect(readFileSync(page, 'utf8')).toBe(withMethods(text));
});

/** Methods that other nodes have. What of them the relay answers is not compared. */
const notCompared = `erigon_getHeaderByNumber eth_baseFee eth_createAccessList eth_fillTransaction eth_getHeaderByHash
  eth_getHeaderByNumber eth_getRawTransactionByBlockHashAndIndex eth_getRawTransactionByBlockNumberAndIndex
  eth_getRawTransactionByHash eth_getStorageValues eth_getTransactionBySenderAndNonce eth_pendingTransactions
  eth_sendRawTransactionSync debug_getRawBlock debug_getRawHeader debug_getRawReceipts debug_getRawTransaction
  debug_traceCall ots_getBlockDetails ots_getBlockDetailsByHash ots_getBlockTransactions ots_getContractCreator
  ots_getInternalOperations ots_getTransactionBySenderAndNonce ots_getTransactionError ots_hasCode
  ots_searchTransactionsAfter ots_searchTransactionsBefore ots_traceTransaction trace_call trace_callMany trace_filter
  trace_get trace_replayBlockTransactions trace_replayTransaction trace_transaction txpool_contentFrom
  txpool_inspect`.split(/\s+/);

test('each method is compared with the relay, or is here', () => {
  const requests = readFileSync(new URL('../clients/relay/relay-requests.ts', import.meta.url), 'utf8');
  const isAsked = (name: string) => new RegExp(`['" ]${name}['" ]`).test(requests);
  expect([...methods.keys()].filter((name) => !isAsked(name)).sort()).toEqual([...notCompared].sort());
});
