import { expect, test } from 'vitest';
import { isKept } from './kept-results.ts';
import { methods } from './methods/methods.ts';

/** What is made anew for each who asks, by why. */
const notKept: Record<string, string> = {
  'runs contracts, and the throttle counts each': `debug_traceBlockByHash debug_traceBlockByNumber debug_traceCall
    debug_traceTransaction eth_call eth_createAccessList eth_estimateGas eth_fillTransaction eth_simulateV1
    ots_getInternalOperations ots_getTransactionError ots_traceTransaction trace_block trace_call trace_callMany
    trace_filter trace_get trace_replayBlockTransactions trace_replayTransaction trace_transaction`,
  'is about the filters of one client': `eth_getFilterChanges eth_getFilterLogs eth_newBlockFilter eth_newFilter
    eth_newPendingTransactionFilter eth_uninstallFilter`,
  'sends a transaction, or would sign one': `eth_sendRawTransaction eth_sendRawTransactionSync eth_sendTransaction eth_sign
    eth_signTransaction`,
  'is known without the ledger': `debug_getBadBlocks eth_accounts eth_blobBaseFee eth_chainId eth_coinbase eth_getProof
    eth_getUncleByBlockHashAndIndex eth_getUncleByBlockNumberAndIndex eth_getUncleCountByBlockHash
    eth_getUncleCountByBlockNumber eth_getWork eth_hashrate eth_maxPriorityFeePerGas eth_mining eth_pendingTransactions
    eth_protocolVersion eth_submitHashrate eth_submitWork eth_syncing net_listening net_peerCount net_version
    ots_getApiLevel txpool_content txpool_contentFrom txpool_inspect txpool_status web3_clientVersion web3_sha3`,
  'is asked once by who copies the chain': `debug_getRawBlock debug_getRawHeader debug_getRawReceipts
    debug_getRawTransaction eth_getRawTransactionByBlockHashAndIndex eth_getRawTransactionByBlockNumberAndIndex
    eth_getRawTransactionByHash`,
  'names many slots, seldom the same ones': 'eth_getStorageValues',
};

test('each method is kept until the next block, or is here with why not', () => {
  const named = Object.values(notKept).flatMap((names) => names.split(/\s+/));
  expect([...methods.keys()].filter((name) => !isKept(name)).sort()).toEqual(named.sort());
});
