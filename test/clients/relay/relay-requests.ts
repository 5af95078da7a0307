// What is asked of the relay and of the mirror's own JSON-RPC: every method that reads, in its variants, over what the
// ledger has.
import { readMirror } from '../client-examples.ts';
import { callData, callDataOfText, readContractExamples } from '../example-contracts.ts';

export type RelayRequest = { name: string; body: unknown; set: RequestSet };
/** 'read': a plain call of a method that reads; 'shape': what else clients may send. */
type RequestSet = 'read' | 'shape';

type Result = { hash: string; gas_used: number; gas_limit: number; block_number: number; result: string; to: string };
type Log = { address: string; topics: string[]; transaction_hash: string; block_number: number };
type Block = { number: number; hash: string; gas_used: number };

const unknownHash = `0x${'ab'.repeat(32)}`;
const nobody = `0x${'9'.repeat(40)}`;

/** Of a ledger that does not go on. */
export async function readRelayRequests(mirrorUrl: string): Promise<RelayRequest[]> {
  const found = await readSamples(mirrorUrl);
  const requests: RelayRequest[] = [];
  const add = (set: RequestSet, name: string, body: unknown) => requests.push({ set, name, body });
  const request = (method: string, params: unknown) => ({ jsonrpc: '2.0', id: 1, method, params });
  const read = (variant: string, method: string, ...params: unknown[]) =>
    add('read', `${method} ${variant}`.trim(), request(method, params));
  const shape = (variant: string, method: string, params: unknown) =>
    add('shape', `${method} ${variant}`.trim(), request(method, params));
  listReads(found, read);
  listShapes(found, shape);
  listEnvelopes(found, (name, body) => add('shape', name, body));
  return requests;
}

type Samples = Awaited<ReturnType<typeof readSamples>>;

async function readSamples(mirrorUrl: string) {
  const contracts = await readContractExamples(mirrorUrl);
  const { blocks } = await readMirror<{ blocks: Block[] }>(mirrorUrl, '/blocks?limit=100');
  const newest = blocks[0]!.number;
  const { results } = await readMirror<{ results: Result[] }>(mirrorUrl, '/contracts/results?limit=1000');
  const { logs } = await readMirror<{ logs: Log[] }>(mirrorUrl, '/contracts/results/logs?limit=1000');
  const byHash = (hash: string) => results.some((one) => one.hash.slice(0, 66) === hash.slice(0, 66));
  const busy = blocks.find(
    ({ number }) => number < newest - 8 && results.some(({ block_number }) => block_number === number),
  );
  const executed = results.filter(({ gas_limit }) => gas_limit > 0);
  const transfer = logs.find(({ transaction_hash }) => !byHash(transaction_hash));
  const { accounts } = await readMirror<{
    accounts: { account: string; evm_address: string; balance: { balance: number } }[];
  }>(mirrorUrl, '/accounts?limit=100');
  const { tokens } = await readMirror<{ tokens: { token_id: string }[] }>(mirrorUrl, '/tokens?limit=1');
  const { schedules } = await readMirror<{ schedules: { schedule_id: string }[] }>(mirrorUrl, '/schedules?limit=1');
  return {
    ...{ contracts, newest, busy: busy!, blocks },
    executed,
    failed: executed.find(({ result }) => result === 'CONTRACT_REVERT_EXECUTED'),
    refused: results.find(({ gas_used, result }) => !gas_used && result !== 'SUCCESS'),
    creation: executed.find(({ to }) => to === null),
    log: logs.find(({ transaction_hash }) => byHash(transaction_hash))!,
    transfer: transfer!,
    account: accounts.find(({ evm_address, balance }) => !/^0x0{24}/.test(evm_address) && balance.balance > 0)!,
    old: accounts.find(({ evm_address }) => /^0x0{24}/.test(evm_address))!,
    token: longZero(tokens[0]!.token_id),
    schedule: longZero(schedules[0]!.schedule_id),
  };
}

const longZero = (id: string): string => `0x${BigInt(id.split('.')[2]!).toString(16).padStart(40, '0')}`;
const quantity = (value: number): string => `0x${value.toString(16)}`;

type Read = (variant: string, method: string, ...params: unknown[]) => void;

function listReads(found: Samples, read: Read): void {
  const { newest, busy, contracts, account, old, token, schedule, log, transfer } = found;
  const numbers: Record<string, string> = {
    ...{ latest: 'latest', earliest: 'earliest', pending: 'pending', safe: 'safe', finalized: 'finalized' },
    ...{ 'by number': quantity(busy.number), 'beyond the newest': quantity(newest + 100) },
  };
  const hash = busy.hash.slice(0, 66);
  for (const method of ['eth_chainId', 'net_version', 'eth_blockNumber', 'eth_gasPrice', 'eth_accounts', 'eth_syncing'])
    read('', method);
  for (const method of ['eth_mining', 'eth_hashrate', 'eth_maxPriorityFeePerGas', 'net_listening', 'eth_submitWork'])
    read('', method);
  read('', 'web3_clientVersion');
  read('', 'web3_sha3', '0x68656c6c6f');
  for (const [name, number] of Object.entries(numbers)) {
    read(name, 'eth_getBlockByNumber', number, false);
    read(`${name}, whole`, 'eth_getBlockByNumber', number, true);
    read(name, 'eth_getBlockTransactionCountByNumber', number);
    read(name, 'eth_getTransactionByBlockNumberAndIndex', number, '0x0');
    read(name, 'eth_getBlockReceipts', number);
    read(name, 'eth_getUncleCountByBlockNumber', number);
    read(name, 'eth_getBalance', account.evm_address, number);
    read(name, 'eth_getTransactionCount', account.evm_address, number);
    read(name, 'eth_getCode', contracts.coin.evm_address, number);
    read(name, 'eth_getStorageAt', contracts.coin.evm_address, '0x0', number);
    read(name, 'eth_call', { to: contracts.coin.evm_address, data: callData('totalSupply()') }, number);
    read(name, 'eth_feeHistory', '0x3', number, [25, 75]);
    read(name, 'debug_traceBlockByNumber', number, { tracer: 'callTracer' });
  }
  for (const [name, given] of [
    ['known', hash],
    ['unknown', unknownHash],
  ] as const) {
    read(name, 'eth_getBlockByHash', given, false);
    read(`${name}, whole`, 'eth_getBlockByHash', given, true);
    read(name, 'eth_getBlockTransactionCountByHash', given);
    read(name, 'eth_getTransactionByBlockHashAndIndex', given, '0x0');
    read(`${name}, no such index`, 'eth_getTransactionByBlockHashAndIndex', given, '0xffff');
    read(`of a hash, ${name}`, 'eth_getBlockReceipts', given);
    read(name, 'eth_getUncleByBlockHashAndIndex', given, '0x0');
    read(name, 'eth_getUncleCountByBlockHash', given);
    read(`of a hash, ${name}`, 'eth_getBalance', account.evm_address, given);
    read(`of a hash, ${name}`, 'eth_getTransactionCount', account.evm_address, given);
    read(`of a hash, ${name}`, 'eth_getCode', contracts.coin.evm_address, given);
    read(`of a hash, ${name}`, 'eth_getStorageAt', contracts.coin.evm_address, '0x0', given);
    read(`of a hash, ${name}`, 'eth_call', { to: contracts.coin.evm_address, data: callData('totalSupply()') }, given);
    read(
      `of {blockHash}, ${name}`,
      'eth_call',
      { to: contracts.coin.evm_address, data: callData('totalSupply()') },
      { blockHash: given },
    );
    read(`by hash, ${name}`, 'eth_getLogs', { blockHash: given });
    read(name, 'debug_traceBlockByHash', given, { tracer: 'callTracer' });
    read(name, 'eth_getTransactionByHash', name === 'known' ? found.executed[0]!.hash.slice(0, 66) : given);
    read(name, 'eth_getTransactionReceipt', name === 'known' ? found.executed[0]!.hash.slice(0, 66) : given);
    read(`${name}, calls`, 'debug_traceTransaction', name === 'known' ? found.executed[0]!.hash.slice(0, 66) : given, {
      tracer: 'callTracer',
    });
  }
  const special = {
    transfer: transfer.transaction_hash,
    failed: found.failed?.hash,
    refused: found.refused?.hash,
    creation: found.creation?.hash,
  };
  for (const [name, given] of Object.entries(special)) {
    if (!given) continue;
    const one = given.slice(0, 66);
    read(name, 'eth_getTransactionByHash', one);
    read(name, 'eth_getTransactionReceipt', one);
    read(`${name}, calls`, 'debug_traceTransaction', one, { tracer: 'callTracer' });
    read(`${name}, top call`, 'debug_traceTransaction', one, {
      tracer: 'callTracer',
      tracerConfig: { onlyTopCall: true },
    });
    read(`${name}, states`, 'debug_traceTransaction', one, { tracer: 'prestateTracer' });
    read(`${name}, opcodes`, 'debug_traceTransaction', one);
  }
  for (const { hash: given } of found.executed.slice(0, 20)) {
    read(given.slice(0, 10), 'eth_getTransactionByHash', given.slice(0, 66));
    read(given.slice(0, 10), 'eth_getTransactionReceipt', given.slice(0, 66));
    read(given.slice(0, 10), 'debug_traceTransaction', given.slice(0, 66), { tracer: 'callTracer' });
    read(`${given.slice(0, 10)}, opcodes`, 'debug_traceTransaction', given.slice(0, 66));
  }
  for (const { number } of found.blocks.slice(0, 20)) {
    read(`${number}, whole`, 'eth_getBlockByNumber', quantity(number), true);
    read(`${number}`, 'eth_getBlockReceipts', quantity(number));
  }
  const addresses = { account: account.evm_address, old: old.evm_address, token, schedule, nobody };
  for (const [name, at] of Object.entries(addresses)) {
    read(`of ${name}`, 'eth_getBalance', at, 'latest');
    read(`of ${name}`, 'eth_getCode', at, 'latest');
    read(`of ${name}`, 'eth_getTransactionCount', at, 'latest');
    read(`of ${name}`, 'eth_getStorageAt', at, '0x0', 'latest');
    read(`of ${name}`, 'eth_call', { to: at, data: callData('symbol()') }, 'latest');
  }
  for (const at of ['167', '16b', '168', '2']) {
    read(`of 0x${at}`, 'eth_getCode', `0x${at.padStart(40, '0')}`, 'latest');
    read(`of 0x${at}`, 'eth_getTransactionCount', `0x${at.padStart(40, '0')}`, 'latest');
  }
  const [coin, counter, reverter] = [contracts.coin, contracts.counter, contracts.reverter].map(
    ({ evm_address }) => evm_address,
  );
  const from = account.evm_address;
  read('0 blocks', 'eth_feeHistory', '0x0', 'latest', []);
  read('5 blocks', 'eth_feeHistory', '0x5', 'latest');
  read('11 blocks', 'eth_feeHistory', '0xb', 'latest', [50]);
  const reverting = {
    'reverts with a reason': { to: reverter, data: callDataOfText('withReason(string)', 'not today') },
    'reverts with an error': { to: reverter, data: callData('withError(uint256)', [42n]) },
    'reverts with nothing': { to: reverter, data: callData('withNothing()') },
    panics: { to: counter, data: callData('underflow(uint256)', [1n]) },
    'takes all gas': { to: counter, data: callData('spin()'), gas: '0x186a0' },
    changes: { to: counter, data: callData('increment()'), from },
    views: { to: coin, data: callData('totalSupply()') },
    creates: { data: '0x6001600c60003960016000f300', from },
    pays: { to: from, from, value: '0xba43b7400' },
    'pays less than a tinybar': { to: from, from, value: '0x1' },
    'pays more than there is': { to: from, from, value: '0xffffffffffffffffff' },
    'asks nobody': { to: nobody, data: '0x01020304' },
  };
  for (const [name, call] of Object.entries(reverting)) {
    read(`that ${name}`, 'eth_call', call, 'latest');
    read(`that ${name}`, 'eth_estimateGas', call);
  }
  const range = { fromBlock: quantity(0), toBlock: 'latest' };
  read('of all blocks', 'eth_getLogs', range);
  read('of an address', 'eth_getLogs', { ...range, address: log.address });
  read('of two addresses', 'eth_getLogs', { ...range, address: [log.address, transfer.address] });
  read('of a topic', 'eth_getLogs', { ...range, topics: [log.topics[0]] });
  read('of alternatives', 'eth_getLogs', { ...range, topics: [[log.topics[0], unknownHash]] });
  read('of a later topic', 'eth_getLogs', { ...range, topics: [null, log.topics[1] ?? null] });
  read('of a token', 'eth_getLogs', { ...range, address: transfer.address });
  read('of the newest block', 'eth_getLogs', {});
  read('to the newest block', 'eth_getLogs', { toBlock: quantity(newest) });
  read('to without from', 'eth_getLogs', { toBlock: '0x1' });
  read('from after to', 'eth_getLogs', { fromBlock: '0x5', toBlock: '0x1' });
  read('from beyond the newest', 'eth_getLogs', { fromBlock: quantity(newest + 50), toBlock: quantity(newest + 60) });
}

type Shape = (variant: string, method: string, params: unknown) => void;

function listShapes(found: Samples, shape: Shape): void {
  const { contracts, account, newest, busy } = found;
  const at = account.evm_address;
  const coin = contracts.coin.evm_address;
  const hash = busy.hash.slice(0, 66);
  const call = { to: coin, data: callData('totalSupply()') };
  const unsupported = [
    ...['eth_coinbase', 'eth_getWork', 'eth_getProof', 'eth_blobBaseFee', 'eth_sign'],
    ...['eth_newPendingTransactionFilter', 'eth_signTransaction', 'eth_sendTransaction', 'net_peerCount'],
    ...['eth_submitHashrate', 'eth_protocolVersion', 'eth_simulateV1', 'engine_newPayloadV1', 'eth_foo', 'foo', ''],
    ...['trace_block', 'debug_foo', 'txpool_status', 'txpool_content', 'txpool_foo', 'admin_foo', 'personal_sign'],
    'ots_getApiLevel',
    ...['eth_subscribe', 'eth_unsubscribe', 'eth_signTypedData', 'web3_foo', 'net_foo', 'ETH_CHAINID'],
  ];
  for (const method of unsupported) shape('', method, []);
  shape('with parameters', 'eth_coinbase', ['0x1']);
  shape('', 'debug_getBadBlocks', []);
  shape('in the words of a relay', 'eth_sendRawTransaction', ['0x01']);
  shape('without', 'eth_sendRawTransaction', []);
  shape('no hex', 'eth_sendRawTransaction', ['zz']);
  for (const method of ['eth_chainId', 'eth_blockNumber', 'eth_gasPrice', 'eth_accounts', 'net_version']) {
    shape('with a parameter', method, ['0x1']);
    shape('with an object', method, {});
  }
  const needing: [string, unknown[]][] = [
    ['eth_getBalance', [at, 'latest']],
    ['eth_getCode', [at, 'latest']],
    ['eth_getTransactionCount', [at, 'latest']],
    ['eth_getStorageAt', [coin, '0x0', 'latest']],
    ['eth_call', [call, 'latest']],
    ['eth_estimateGas', [call]],
    ['eth_getBlockByNumber', ['latest', false]],
    ['eth_getBlockByHash', [hash, false]],
    ['eth_getBlockTransactionCountByNumber', ['latest']],
    ['eth_getBlockTransactionCountByHash', [hash]],
    ['eth_getTransactionByBlockNumberAndIndex', [quantity(busy.number), '0x0']],
    ['eth_getTransactionByBlockHashAndIndex', [hash, '0x0']],
    ['eth_getTransactionByHash', [unknownHash]],
    ['eth_getTransactionReceipt', [unknownHash]],
    ['eth_getBlockReceipts', ['latest']],
    ['eth_getLogs', [{}]],
    ['eth_feeHistory', ['0x1', 'latest', []]],
    ['eth_newFilter', [{ fromBlock: '0x5', toBlock: '0x1' }]],
    ['eth_getFilterLogs', ['0x1']],
    ['eth_getFilterChanges', ['0x1']],
    ['eth_uninstallFilter', ['0x1']],
    ['web3_sha3', ['0x00']],
    ['debug_traceTransaction', [unknownHash]],
    ['debug_traceBlockByNumber', [quantity(newest + 50)]],
    ['debug_traceBlockByHash', [unknownHash]],
    ['eth_getUncleByBlockHashAndIndex', [hash, '0x0']],
    ['eth_getUncleByBlockNumberAndIndex', ['latest', '0x0']],
    ['eth_getUncleCountByBlockHash', [hash]],
    ['eth_getUncleCountByBlockNumber', ['latest']],
  ];
  for (const [method, params] of needing) {
    shape('as it should be', method, params);
    for (let count = 0; count < params.length; count++)
      shape(`with ${count} parameters`, method, params.slice(0, count));
    shape('with one too many', method, [...params, '0x1', '0x2', '0x3']);
    shape('with an object', method, {});
    for (let place = 0; place < params.length; place++) {
      for (const wrong of [null, 1, 'x', '', '0x', true, [], {}]) {
        const given = params.with(place, wrong);
        shape(`with ${JSON.stringify(wrong)} as parameter ${place}`, method, given);
      }
    }
  }
  for (const number of ['0x00', '0x01', '1', '0xg', 'Latest', '0x1fffffffffffff', '0x20000000000000', '0X1', '-0x1']) {
    shape(`of ${number}`, 'eth_getBlockByNumber', [number, false]);
    shape(`at ${number}`, 'eth_call', [call, number]);
  }
  for (const place of ['0x', '0x00', `0x${'0'.repeat(64)}`, `0x${'0'.repeat(65)}`, '0x1', '0xabc']) {
    shape(`of ${place}`, 'eth_getStorageAt', [coin, place, 'latest']);
  }
  for (const digits of ['0x', '0x1', '0x12', '0xG', '12']) shape(`of ${digits}`, 'web3_sha3', [digits]);
  for (const index of ['0x', '0x0', '0x00', '0x1', '1', 0]) {
    shape(`index ${JSON.stringify(index)}`, 'eth_getTransactionByBlockHashAndIndex', [hash, index]);
  }
  for (const count of ['0x', '0x1', '0x64', '1', 1, '-0x1'])
    shape(`${JSON.stringify(count)} blocks`, 'eth_feeHistory', [count, 'latest', []]);
  for (const shares of [[101], [-1], ['50'], Array(101).fill(1), Array(100).fill(1), [null], 'x']) {
    shape(`shares ${JSON.stringify(shares).slice(0, 12)}`, 'eth_feeHistory', ['0x1', 'latest', shares]);
  }
  const blocks: unknown[] = [
    ...[{ blockNumber: quantity(busy.number) }, { blockHash: hash }, {}, { blockNumber: 'latest' }, { foo: 1 }],
    ...[{ blockHash: hash, blockNumber: '0x1' }, { blockHash: hash, requireCanonical: true }, { blockNumber: 'x' }],
    ...[
      { blockHash: '0x1' },
      { blockNumber: null },
      { blockHash: null },
      quantity(newest + 1),
      quantity(newest + 100),
      unknownHash,
    ],
  ];
  for (const block of blocks) shape(`at ${JSON.stringify(block).slice(0, 60)}`, 'eth_call', [call, block]);
  const calls: Record<string, unknown> = {
    'of a short address': { ...call, to: '0x1' },
    'of no hex address': { ...call, to: `0x${'g'.repeat(40)}` },
    'of an empty address': { ...call, to: '' },
    'of null': { data: '0x', to: null },
    'of odd data': { to: coin, data: '0x123' },
    'of no hex data': { to: coin, data: 'hello' },
    'of null data': { to: coin, data: null },
    'of empty data': { to: coin, data: '0x' },
    'of input and data': { to: coin, input: callData('decimals()'), data: callData('totalSupply()') },
    'of input alone': { to: coin, input: callData('decimals()') },
    'with a short sender': { ...call, from: '0x1' },
    'with a null sender': { ...call, from: null },
    'with no hex gas': { ...call, gas: 100000 },
    'with little gas': { ...call, gas: '0x5207' },
    'with 21,000 gas': { ...call, gas: '0x5208' },
    'with all gas': { ...call, gas: '0xe4e1c0' },
    'with empty gas': { ...call, gas: '0x' },
    'with no hex value': { ...call, value: 'x' },
    'with empty value': { ...call, value: '0x' },
    'with price 0': { ...call, gasPrice: '0x0' },
    'with other members': { ...call, nonce: '0x1', type: '0x2', chainId: '0x128', foo: 1 },
    'with an access list': { ...call, type: '0x1', accessList: [] },
    'with fees': { ...call, maxFeePerGas: '0x0', maxPriorityFeePerGas: '0x0' },
    'of nothing': {},
  };
  for (const [name, given] of Object.entries(calls)) {
    shape(name, 'eth_call', [given, 'latest']);
    shape(name, 'eth_estimateGas', [given]);
  }
  for (const block of ['latest', '0x1', 'x', hash]) shape(`at ${block}`, 'eth_estimateGas', [call, block]);
  shape('with state', 'eth_call', [call, 'latest', {}]);
  shape('with a list as state', 'eth_call', [call, 'latest', []]);
  const filters: unknown[] = [
    ...[
      { foo: 1 },
      { fromBlock: 'x' },
      { fromBlock: null },
      { toBlock: 'x' },
      { address: 'x' },
      { address: null },
      { address: [] },
    ],
    ...[
      { address: ['x'] },
      { address: [null] },
      { topics: null },
      { topics: 'x' },
      { topics: [] },
      { topics: ['0x1'] },
      { topics: [[null]] },
    ],
    ...[
      { topics: [[]] },
      { topics: Array(5).fill(null) },
      { topics: Array(4).fill(null) },
      { blockHash: 'x' },
      { blockHash: null },
    ],
    ...[
      { blockHash: hash, fromBlock: '0x1' },
      { blockHash: hash, toBlock: '0x1' },
      { blockHash: hash, address: coin },
    ],
    ...[
      { fromBlock: 'earliest', toBlock: 'earliest' },
      { fromBlock: 'pending' },
      { fromBlock: 'latest', toBlock: '0x1' },
    ],
    ...[
      { fromBlock: '0x1', toBlock: quantity(newest + 3) },
      { fromBlock: '0x1', toBlock: quantity(newest + 50) },
    ],
    ...[
      { fromBlock: quantity(newest + 1) },
      { toBlock: 'earliest' },
      { address: [coin], fromBlock: '0x0' },
      { address: coin.toUpperCase().replace('X', 'x') },
    ],
  ];
  for (const filter of filters) shape(JSON.stringify(filter).slice(0, 80), 'eth_getLogs', [filter]);
  const executed = found.executed[0]!.hash.slice(0, 66);
  const options: unknown[] = [
    ...[
      { tracer: 'x' },
      { tracer: 1 },
      { tracer: 'callTracer', tracerConfig: {} },
      { tracerConfig: 1 },
      { tracer: 'callTracer', onlyTopCall: true },
    ],
    ...[
      { tracer: 'callTracer', tracerConfig: { onlyTopCall: 'x' } },
      { tracer: 'callTracer', tracerConfig: { foo: 1 } },
    ],
    ...[
      { tracer: 'callTracer', tracerConfig: { withLog: true } },
      { tracer: 'callTracer', tracerConfig: { enableMemory: true } },
    ],
    ...[
      { tracer: 'opcodeLogger', tracerConfig: { onlyTopCall: true } },
      { tracer: 'callTracer', enableMemory: true },
    ],
    ...[{ tracer: 'callTracer', timeout: '10s' }, { enableMemory: 'x' }, { enableMemory: true, tracerConfig: {} }, {}],
  ];
  for (const option of options) shape(JSON.stringify(option), 'debug_traceTransaction', [executed, option]);
  for (const option of [{ tracer: 'opcodeLogger' }, {}, { tracer: 'prestateTracer' }, { tracer: 'x' }]) {
    shape(JSON.stringify(option), 'debug_traceBlockByNumber', [quantity(busy.number), option]);
  }
}

function listEnvelopes(found: Samples, add: (name: string, body: unknown) => void): void {
  const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
  const { id: _id, ...withoutId } = chainId;
  add('no id', withoutId);
  add('empty object', {});
  add('a number', 1);
  add('null', null);
  add('a text', 'x');
  add('empty body', new Uint8Array(0));
  add('broken', Buffer.from('{"jsonrpc":"2.0","id":1,'));
  for (const id of [null, 0, '', 'a', -1, 1.5, 9_007_199_254_740_991])
    add(`id ${JSON.stringify(id)}`, { ...chainId, id });
  for (const jsonrpc of ['1.0', 2, null, '']) add(`version ${JSON.stringify(jsonrpc)}`, { ...chainId, jsonrpc });
  for (const method of [1, null, [], {}]) add(`method ${JSON.stringify(method)}`, { ...chainId, method });
  for (const params of [null, {}, 'x', 1]) add(`params ${JSON.stringify(params)}`, { ...chainId, params });
  const { params: _params, ...withoutParams } = chainId;
  add('no params', withoutParams);
  add('no params of a method that needs some', { ...withoutParams, method: 'eth_getBalance' });
  add('batch', [chainId, { ...chainId, id: 2, method: 'eth_blockNumber' }]);
  add('empty batch', []);
  add('batch with errors', [
    chainId,
    1,
    null,
    withoutId,
    { ...chainId, method: 'foo' },
    { ...chainId, id: 'z', method: 'eth_getBalance' },
  ]);
  add(
    'batch of what is not for batches',
    [
      ...['eth_newFilter', 'eth_newBlockFilter', 'eth_getFilterLogs', 'eth_getFilterChanges', 'eth_uninstallFilter'],
      ...[
        'eth_newPendingTransactionFilter',
        'debug_traceTransaction',
        'debug_traceBlockByNumber',
        'debug_traceBlockByHash',
      ],
    ].map((method, id) => ({ ...chainId, id, method, params: [] })),
  );
  add('batch of a batch', [[chainId]]);
  add('batch of 100', Array(100).fill(chainId));
  add('batch of 101', Array(101).fill(chainId));
  add('batch of reverts', [
    {
      ...chainId,
      method: 'eth_call',
      params: [{ to: found.contracts.reverter.evm_address, data: callData('withNothing()') }, 'latest'],
    },
  ]);
}
