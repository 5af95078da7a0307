// What other tools ask, in their forms, and what their strict readers need of each answer: alloy's of Foundry and of
// The Graph's node, web3's of older nodes, ethers' in MetaMask.
import { expect } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: what is judged.
type Json = any;
export type AskedChain = {
  block: { number: string; hash: string };
  /** An execution with logs. */
  hash: string;
  /** A transfer of tokens that ran no code. */
  transfer: string;
  contract: string;
  account: string;
  creation: { contract: string; hash: string };
  /** An Ethereum transaction. */
  sent: { from: string; nonce: number; hash: string };
  /** Of a contract with a function without parameters that returns a word: its call data. */
  view: { to: string; data: string };
};
export type Form = RegExp | ((value: Json) => boolean) | { [member: string]: Form } | [Form];
type ToolRequest = { tool: string; method: string; params: unknown[]; form: Form };

const quantity = /^0x(0|[1-9a-f][0-9a-f]*)$/;
const bytes = /^0x([0-9a-f]{2})*$/;
const hash = /^0x[0-9a-f]{64}$/;
const address = /^0x[0-9a-f]{40}$/;
const bloom = /^0x[0-9a-f]{512}$/;
const isNull = (value: Json): boolean => value === null;
const isEmpty = (value: Json): boolean => Array.isArray(value) && value.length === 0;
const or =
  (...forms: readonly (RegExp | typeof isNull)[]): Form =>
  (value) =>
    forms.some((form) => (typeof form === 'function' ? form(value) : typeof value === 'string' && form.test(value)));

const header = {
  ...{ hash, parentHash: hash, sha3Uncles: hash, miner: address, stateRoot: hash, transactionsRoot: hash },
  ...{ receiptsRoot: hash, logsBloom: bloom, difficulty: quantity, number: quantity, gasLimit: quantity },
  ...{ gasUsed: quantity, timestamp: quantity, extraData: bytes, mixHash: hash, nonce: /^0x[0-9a-f]{16}$/ },
  ...{ baseFeePerGas: quantity, size: quantity, totalDifficulty: quantity, uncles: [hash] as [Form] },
};
const placed = { blockHash: hash, blockNumber: quantity, transactionIndex: quantity };
const log = {
  ...{ ...placed, address, topics: [hash] as [Form], data: bytes, transactionHash: hash, logIndex: quantity },
  ...{ removed: (value: Json) => value === false, blockTimestamp: quantity },
};
const receipt = {
  ...{ ...placed, transactionHash: hash, from: address, to: or(address, isNull), cumulativeGasUsed: quantity },
  ...{ gasUsed: quantity, effectiveGasPrice: quantity, contractAddress: or(address, isNull), logs: [log] as [Form] },
  ...{ logsBloom: bloom, status: /^0x[01]$/, type: /^0x[0-4]$/ },
};
const signed = { hash, r: quantity, s: quantity, v: quantity, nonce: quantity, gas: quantity, value: quantity };
const common = { ...placed, ...signed, from: address, to: or(address, isNull), input: bytes };
const access: Form = [{ address, storageKeys: [hash] }];
const authorization: Form = [
  { chainId: quantity, address, nonce: quantity, yParity: quantity, r: quantity, s: quantity },
];
const byType: Record<string, Record<string, Form>> = {
  '0x0': { gasPrice: quantity },
  '0x1': { gasPrice: quantity, chainId: quantity, accessList: access },
  '0x2': { maxFeePerGas: quantity, maxPriorityFeePerGas: quantity, chainId: quantity, accessList: access },
  '0x4': {
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
    accessList: access,
    authorizationList: authorization,
  },
};
/** An envelope is read by its type. */
const transaction: Form = (value) => {
  const ofType = byType[value?.type];
  return ofType !== undefined && differences({ ...common, ...ofType }, value).length === 0;
};
const whole = { ...header, transactions: [transaction] as [Form] };
const call = {
  ...{ type: /^[A-Z0-9]+$/, from: address, to: or(address, isNull), gas: quantity, gasUsed: quantity, input: bytes },
  ...{ output: bytes, value: quantity },
};
const trace = { ...call, calls: [call] as [Form] };

/** What is not as it has to be, by path. */
export function differences(form: Form, value: Json, path = ''): string[] {
  if (typeof form === 'function') return form(value) ? [] : [`${path}: ${JSON.stringify(value)}`];
  if (form instanceof RegExp) {
    return typeof value === 'string' && form.test(value) ? [] : [`${path}: ${JSON.stringify(value)} is not ${form}`];
  }
  if (Array.isArray(form)) {
    if (!Array.isArray(value)) return [`${path}: ${JSON.stringify(value)} is no list`];
    return value.flatMap((one, at) => differences(form[0], one, `${path}[${at}]`));
  }
  if (typeof value !== 'object' || value === null) return [`${path}: ${JSON.stringify(value)} is no object`];
  return Object.entries(form).flatMap(([member, inner]) => differences(inner, value[member], `${path}.${member}`));
}

/** As the tools write them: tags, quantities, objects by EIP-1898, members that are null. */
function listToolRequests({ block, ...of }: AskedChain): ToolRequest[] {
  const requests: ToolRequest[] = [];
  const add = (tool: string) => (method: string, params: unknown[], form: Form) =>
    requests.push({ tool, method, params, form });
  const { view, contract, account, hash: executed, transfer } = of;
  const before = `0x${(BigInt(block.number) - 1n).toString(16)}`;

  const foundry = add('Foundry');
  foundry('eth_chainId', [], quantity);
  foundry('eth_getBlockByNumber', ['latest', true], whole);
  foundry('eth_getBlockByNumber', [block.number, false], { ...header, transactions: [hash] });
  foundry('eth_getBlockByHash', [block.hash, true], whole);
  foundry('eth_getTransactionByHash', [executed], transaction);
  foundry('eth_getTransactionReceipt', [executed], receipt);
  foundry('eth_getTransactionReceipt', [transfer], receipt);
  foundry('eth_call', [{ to: view.to, input: view.data }, 'latest'], bytes);
  foundry('eth_call', [{ ...view, input: view.data }, { blockHash: block.hash }], bytes);
  foundry('eth_estimateGas', [{ from: account, to: view.to, input: view.data }, 'pending'], quantity);
  foundry('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', address: contract, topics: [null] }], [log]);
  foundry('eth_getStorageAt', [contract, '0x0', block.number], hash);
  for (const at of ['latest', before, { blockHash: block.hash }]) {
    foundry('eth_getBalance', [account, at], quantity);
    foundry('eth_getTransactionCount', [account, at], quantity);
    foundry('eth_getCode', [contract, at], bytes);
    foundry('eth_getStorageAt', [contract, hashOf('5'), at], hash);
  }
  foundry('eth_gasPrice', [], quantity);
  foundry('eth_feeHistory', ['0xa', 'latest', [20]], { baseFeePerGas: [quantity], oldestBlock: quantity });
  foundry('debug_traceTransaction', [executed, { tracer: 'callTracer', tracerConfig: { withLog: true } }], trace);
  foundry('debug_traceTransaction', [executed, { tracer: 'prestateTracer', tracerConfig: {} }], {});
  foundry('debug_traceBlockByNumber', [block.number, { tracer: 'callTracer' }], [{ txHash: hash, result: trace }]);

  addIndexers(add, { block, ...of });

  const metaMask = add('MetaMask');
  metaMask('eth_chainId', [], quantity);
  metaMask('net_version', [], /^\d+$/);
  metaMask('eth_getBlockByNumber', ['latest', false], header);
  metaMask('eth_getBalance', [account, block.number], quantity);
  metaMask('eth_getCode', [account, 'latest'], bytes);
  metaMask('eth_getTransactionCount', [account, 'pending'], quantity);
  metaMask('eth_gasPrice', [], quantity);
  metaMask('eth_feeHistory', ['0x5', 'latest', [10, 20, 30]], {
    ...{ baseFeePerGas: [quantity], gasUsedRatio: [(one) => one >= 0 && one <= 1], reward: [[quantity]] },
  });
  metaMask('eth_estimateGas', [{ from: account, to: account, value: '0xba43b7400', type: '0x2' }], quantity);
  metaMask('eth_call', [{ from: account, ...view }, 'latest'], bytes);
  metaMask('eth_syncing', [], (value) => value === false);
  metaMask('eth_accounts', [], [address]);

  const hardhat = add('Hardhat');
  hardhat('eth_chainId', [], quantity);
  hardhat('eth_getCode', [contract, 'latest'], bytes);
  hardhat('eth_getBlockByNumber', ['latest', false], { gasLimit: quantity, baseFeePerGas: quantity });
  hardhat('eth_getTransactionReceipt', [executed], {
    ...{ status: /^0x1$/, contractAddress: or(address, isNull), logs: [log] as [Form] },
  });
  hardhat('eth_maxPriorityFeePerGas', [], quantity);
  hardhat('eth_getTransactionByHash', [transfer], { hash, from: address, to: address, input: bytes });
  return requests;
}

type Add = (tool: string) => (method: string, params: unknown[], form: Form) => void;

/**
 * Every request of graph-node's Ethereum adapter, of Blockscout as of a node of geth and of Erigon, and of Otterscan, by
 * their sources; those of Blockscout and Otterscan, and receipts of graph-node, come in batches, too.
 */
function addIndexers(
  add: Add,
  { block, view, contract, account, hash: executed, transfer, creation, sent }: AskedChain,
) {
  const before = `0x${(BigInt(block.number) - 1n).toString(16)}`;
  const byHash = { blockHash: block.hash };
  const pointer = { hash, parentHash: hash, number: quantity, timestamp: quantity };
  const called = { to: view.to, input: view.data, data: view.data };
  const isCount = (value: Json) => Number.isInteger(value) && value >= 0;
  const isFalse = (value: Json) => value === false;
  const path = {
    ...{ type: /^(?:call|create)$/, subtraces: isCount, traceAddress: [isCount] as [Form] },
    action: { from: address, gas: quantity, value: quantity },
  };
  const placed = {
    ...path,
    blockHash: hash,
    blockNumber: isCount,
    transactionHash: hash,
    transactionPosition: isCount,
  };
  const replayed = { output: bytes, stateDiff: isNull, trace: [path] as [Form], vmTrace: isNull };
  const emptyReplay = { ...replayed, trace: isEmpty };

  const graph = add('The Graph');
  graph('eth_chainId', [], quantity);
  graph('net_version', [], /^\d+$/);
  graph('eth_blockNumber', [], quantity);
  graph('eth_getBlockByNumber', ['0x0', false], pointer);
  graph('eth_getBlockByNumber', ['latest', false], pointer);
  graph('eth_getBlockByNumber', [block.number, false], pointer);
  graph('eth_getBlockByNumber', [block.number, true], whole);
  graph('eth_getBlockByHash', [block.hash, true], whole);
  graph('eth_getBlockReceipts', [byHash], [receipt]);
  graph('eth_getTransactionReceipt', [executed], receipt);
  const ofEvents = { address: [contract, account], topics: [[hashOf('a'), hashOf('b')]] };
  graph('eth_getLogs', [{ fromBlock: before, toBlock: block.number, ...ofEvents }], [log]);
  graph('eth_getLogs', [{ fromBlock: before, toBlock: block.number, address: contract, topics: [] }], [log]);
  graph('eth_getCode', [contract, byHash], bytes);
  graph('eth_getBalance', [account, byHash], quantity);
  graph('eth_call', [called, byHash], bytes);
  const filter = { fromBlock: before, toBlock: block.number, fromAddress: [], mode: 'union', after: null, count: null };
  graph('trace_filter', [{ ...filter, toAddress: [contract] }], [placed]);

  const geth = add('Blockscout, geth');
  geth('eth_chainId', [], quantity);
  geth('eth_blockNumber', [], quantity);
  geth('eth_getBlockByNumber', ['latest', false], header);
  geth('eth_getBlockByNumber', [block.number, true], whole);
  geth('eth_getBlockByHash', [block.hash, true], whole);
  geth('eth_getBlockTransactionCountByNumber', [block.number], quantity);
  geth('eth_getBlockReceipts', [block.number], [receipt]);
  geth('eth_getTransactionByHash', [executed], transaction);
  geth('eth_getTransactionReceipt', [executed], receipt);
  geth('eth_getLogs', [{ fromBlock: block.number, toBlock: block.number, address: contract, topics: [] }], [log]);
  geth('eth_getLogs', [byHash], [log]);
  geth('eth_getBalance', [account, block.number], quantity);
  geth('eth_getCode', [contract, block.number], bytes);
  geth('eth_getTransactionCount', [account, block.number], quantity);
  geth('eth_getStorageAt', [contract, hashOf('3'), 'latest'], hash);
  geth('eth_call', [{ to: view.to, data: view.data, from: account }, block.number], bytes);
  geth('eth_getUncleByBlockHashAndIndex', [block.hash, '0x0'], isNull);
  geth('debug_traceTransaction', [executed, { timeout: '120s', tracer: 'callTracer' }], trace);
  const first = { timeout: '120s', tracer: 'callTracer', tracerConfig: { onlyTopCall: true } };
  geth('debug_traceTransaction', [executed, first], { ...call, calls: isEmpty });
  const ofBlock = [{ txHash: hash, result: trace }] as [Form];
  geth('debug_traceBlockByNumber', [block.number, { timeout: '120s', tracer: 'callTracer' }], ofBlock);
  geth('txpool_content', [], { pending: {} });

  const erigon = add('Blockscout, Erigon');
  erigon('trace_replayBlockTransactions', [block.number, ['trace']], [{ ...replayed, transactionHash: hash }]);
  erigon('trace_replayTransaction', [executed, ['trace']], replayed);
  erigon('trace_replayTransaction', [transfer, ['trace']], emptyReplay);
  erigon('trace_block', [block.number], [placed]);

  const otterscan = add('Otterscan');
  const plain = Number(block.number);
  const page = { txs: [transaction] as [Form], receipts: [{ timestamp: isCount }] as [Form] };
  otterscan('ots_getApiLevel', [], (level) => level >= 8);
  otterscan('erigon_getHeaderByNumber', [plain], { hash, number: quantity });
  otterscan('ots_getBlockDetails', [plain], { block: { transactionCount: isCount }, totalFees: quantity });
  otterscan('ots_getBlockDetailsByHash', [block.hash], { block: { transactionCount: isCount }, totalFees: quantity });
  otterscan('ots_getBlockTransactions', [plain, 0, 25], { fullblock: { transactions: [{ hash }] }, receipts: [{}] });
  otterscan('ots_searchTransactionsBefore', [contract, 0, 25], page);
  otterscan('ots_searchTransactionsAfter', [contract, 0, 25], page);
  otterscan('ots_hasCode', [contract, 'latest'], (value) => value === true);
  otterscan('ots_hasCode', [account, 'latest'], isFalse);
  otterscan('ots_getContractCreator', [creation.contract], { hash: new RegExp(creation.hash), creator: address });
  otterscan('ots_getTransactionBySenderAndNonce', [sent.from, sent.nonce], new RegExp(sent.hash));
  otterscan('ots_getTransactionError', [executed], bytes);
  otterscan('ots_getInternalOperations', [executed], [{ type: isCount, from: address, to: address, value: quantity }]);
  otterscan('ots_traceTransaction', [executed], [{ type: /^[A-Z0-9]+$/, depth: isCount, from: address, to: address }]);
  otterscan('trace_replayTransaction', [transfer, ['stateDiff']], { ...emptyReplay, stateDiff: {} });

  const others = add('tools of traces');
  const asked = { ...view, from: account };
  others('debug_traceTransaction', [executed, { tracer: 'flatCallTracer' }], [placed]);
  others('debug_traceCall', [asked, 'latest', { tracer: 'callTracer', tracerConfig: { withLog: true } }], trace);
  const changes = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
  others('debug_traceCall', [asked, block.number, changes], { pre: {}, post: {} });
  others('trace_call', [asked, ['trace', 'stateDiff'], 'latest'], { ...replayed, stateDiff: {} });
  others('trace_callMany', [[[asked, ['trace']]], 'latest'], [replayed]);
}

/** Throws for the first answer that a tool could not read. Numbers of requests, by tool. */
export async function checkToolRequests(
  chain: AskedChain,
  ask: (method: string, ...params: unknown[]) => Promise<Json>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { tool, method, params, form } of listToolRequests(chain)) {
    const found = differences(form, await ask(method, ...params));
    expect([tool, method, JSON.stringify(params), found]).toEqual([tool, method, JSON.stringify(params), []]);
    counts[tool] = (counts[tool] ?? 0) + 1;
  }
  return counts;
}

function hashOf(digit: string): string {
  return `0x${digit.repeat(64)}`;
}
