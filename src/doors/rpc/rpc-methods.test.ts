// What each method answers over a small chain.
import { keccak256 } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StoredRows, storeRows } from '../../../packages/test-support/rows/store-rows.ts';
import { openRpc, type TestRpc } from '../../../packages/test-support/rpc/open-rpc.ts';
import {
  address,
  block,
  blockHash,
  hashText,
  longZero,
  newest,
  smallChain,
  transfer,
  word,
} from '../../../packages/test-support/rpc/small-chain.ts';
import type { PathTrace } from './shapes/call-tree.ts';

let stored: StoredRows;
let rpc: TestRpc;

beforeAll(async () => {
  stored = await storeRows(smallChain);
  rpc = openRpc(stored.db);
});
afterAll(async () => {
  expect(rpc?.failures).toEqual([]);
  await rpc?.close();
  await stored?.close();
});

const price = 50n * 10n ** 10n;
const [one, two, three, four, five] = ['11', '22', '33', '44', '55'].map(hashText) as [
  string,
  string,
  string,
  string,
  string,
];

describe('blocks', () => {
  it('have the members of Ethereum', async () => {
    const found = await rpc.ask('eth_getBlockByNumber', '0xa', false);
    expect(found).toMatchObject({
      ...{ number: '0xa', hash: blockHash(10n), parentHash: blockHash(9n), timestamp: block(1_700_000_020n) },
      ...{ gasUsed: block(90_000n), gasLimit: block(150_000_000n), size: block(1000n), miner: address('0') },
      ...{ transactionsRoot: blockHash(10n), transactions: [one, two, three, four], uncles: [], difficulty: '0x0' },
    });
    // None is stored: that of the transfer of tokens.
    const [, , , ofTransfer] = await rpc.ask('eth_getBlockReceipts', '0xa');
    expect(found.logsBloom).toBe(ofTransfer.logsBloom);
    expect(BigInt(found.logsBloom)).toBeGreaterThan(0n);
    expect(found.baseFeePerGas).toBe(block(price));
    expect(found.receiptsRoot).toMatch(/^0x[0-9a-f]{64}$/);
    expect(await rpc.ask('eth_getBlockByHash', blockHash(10n), false)).toEqual(found);
  });

  it('without transactions have the roots of nothing', async () => {
    expect(await rpc.ask('eth_getBlockByNumber', '0x9', true)).toMatchObject({
      ...{ transactions: [], baseFeePerGas: block(price) },
      receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
      transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
    });
  });

  it.each(['latest', 'safe', 'finalized', 'pending', block(newest)])('%s is the newest', async (tag) => {
    expect((await rpc.ask('eth_getBlockByNumber', tag, false)).number).toBe(block(newest));
  });

  it('are null where there is none', async () => {
    expect(await rpc.ask('eth_getBlockByNumber', '0x1f', false)).toBeNull();
    expect(await rpc.ask('eth_getBlockByHash', hashText('ab'), true)).toBeNull();
    expect(await rpc.ask('eth_getBlockReceipts', '0xffff')).toBeNull();
    expect(await rpc.ask('eth_getBlockTransactionCountByNumber', '0xffff')).toBeNull();
    expect(await rpc.ask('eth_getBlockByNumber', 'earliest', false)).toMatchObject({ number: '0x0' });
  });

  it('count the transactions of the ledger', async () => {
    expect(await rpc.ask('eth_blockNumber')).toBe(block(newest));
    expect(await rpc.ask('eth_getBlockTransactionCountByNumber', '0xa')).toBe('0x5');
    expect(await rpc.ask('eth_getBlockTransactionCountByHash', blockHash(10n))).toBe('0x5');
  });
});

describe('transactions', () => {
  const call = {
    ...{
      blockHash: blockHash(10n),
      blockNumber: '0xa',
      blockTimestamp: block(1_700_000_020n),
      chainId: '0x12a',
      hash: one,
      transactionIndex: '0x0',
      type: '0x2',
    },
    ...{ from: address('a'), to: address('c'), gas: block(60_000n), gasPrice: block(price), input: '0xaabbccdd01' },
    ...{ nonce: '0x3', r: '0xabc', s: `0x8${'0'.repeat(63)}`, v: '0x1', yParity: '0x1', value: block(30_000_000_000n) },
    ...{ maxFeePerGas: '0xba43b7400', maxPriorityFeePerGas: '0x1' },
    accessList: [{ address: address('e'), storageKeys: [word(5n)] }],
  };
  const legacy = {
    type: '0x0',
    v: '0x277',
    value: '0x0',
    to: address('c'),
    hash: two,
    gas: block(60_000n),
  };
  const creation = {
    ...{
      hash: three,
      to: null,
      from: longZero(1002n),
      gasPrice: block(price),
      r: '0x0',
      s: '0x0',
      v: '0x0',
      nonce: '0x0',
    },
    ...{ value: block(40_000_000_000n), chainId: '0x12a', type: '0x0', gas: block(50_000n) },
  };
  const synthetic = {
    ...{
      blockHash: blockHash(10n),
      blockNumber: '0xa',
      blockTimestamp: block(1_700_000_020n),
      chainId: '0x12a',
      hash: four,
      from: address('a'),
      to: longZero(3001n),
    },
    ...{
      gas: '0x61a80',
      gasPrice: block(price),
      input: '0x0000000000000000',
      nonce: '0x0',
      r: '0x0',
      s: '0x0',
      v: '0x0',
    },
    ...{ transactionIndex: '0x3', type: '0x0', value: '0x0' },
  };

  it('are the same by hash, by place and in their block', async () => {
    const whole = (await rpc.ask('eth_getBlockByNumber', '0xa', true)).transactions;
    expect(whole).toHaveLength(4);
    expect(whole[0]).toEqual(call);
    expect(whole[1]).toMatchObject(legacy);
    expect(whole[1]).not.toHaveProperty('chainId');
    expect(whole[1]).not.toHaveProperty('accessList');
    expect(whole[2]).toMatchObject(creation);
    expect(whole[3]).toEqual(synthetic);
    for (const [index, hash] of [one, two, three, four].entries()) {
      expect(await rpc.ask('eth_getTransactionByHash', hash)).toEqual(whole[index]);
      expect(await rpc.ask('eth_getTransactionByBlockNumberAndIndex', '0xa', `0x${index}`)).toEqual(whole[index]);
      expect(await rpc.ask('eth_getTransactionByBlockHashAndIndex', blockHash(10n), `0x${index}`)).toEqual(
        whole[index],
      );
    }
  });

  it('that did not run are in no block', async () => {
    expect(await rpc.ask('eth_getTransactionByHash', five)).toBeNull();
    expect(await rpc.ask('eth_getTransactionReceipt', five)).toBeNull();
    expect(await rpc.ask('eth_getTransactionByBlockNumberAndIndex', '0xa', '0x4')).toBeNull();
    expect(await rpc.ask('eth_getTransactionByBlockNumberAndIndex', '0xfff', '0x0')).toBeNull();
  });

  it('have receipts, the same by hash and in their block', async () => {
    const receipts = await rpc.ask('eth_getBlockReceipts', '0xa');
    expect(await rpc.ask('eth_getBlockReceipts', blockHash(10n))).toEqual(receipts);
    expect(receipts[0]).toEqual({
      ...{ blockHash: blockHash(10n), blockNumber: '0xa', from: address('a'), to: address('c'), transactionHash: one },
      ...{ cumulativeGasUsed: block(30_000n), gasUsed: block(30_000n), contractAddress: null, type: '0x2' },
      ...{
        effectiveGasPrice: block(price),
        status: '0x1',
        transactionIndex: '0x0',
        logsBloom: `0x${'01'.repeat(256)}`,
      },
      root: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
      logs: [
        {
          ...{
            address: address('c'),
            blockHash: blockHash(10n),
            blockNumber: '0xa',
            blockTimestamp: block(1_700_000_020n),
          },
          ...{ data: word(9n), logIndex: '0x0', removed: false, topics: [transfer, word(5n)], transactionHash: one },
          transactionIndex: '0x0',
        },
      ],
    });
    expect(receipts[1]).toMatchObject({
      ...{ status: '0x0', cumulativeGasUsed: block(70_000n), logs: [], contractAddress: null },
    });
    expect(receipts[1].revertReason).toMatch(/^0x08c379a0/);
    expect(receipts[2]).toMatchObject({
      to: null,
      contractAddress: address('c'),
      cumulativeGasUsed: block(90_000n),
      type: '0x0',
    });
    expect(receipts[3]).toMatchObject({
      ...{ transactionHash: four, to: longZero(3001n), from: address('a'), gasUsed: '0x0', status: '0x1' },
      ...{ cumulativeGasUsed: block(90_000n), contractAddress: null },
    });
    for (const [index, hash] of [one, two, three, four].entries()) {
      expect(await rpc.ask('eth_getTransactionReceipt', hash)).toEqual(receipts[index]);
    }
  });
});

describe('what failed', () => {
  const [undone, reverted, halted, unsaid] = ['a7', 'a8', 'a9', 'aa'].map(hashText);
  const nameOf = (text: string): string => `0x${Buffer.from(text).toString('hex')}`;

  it('with its batch is in no block, and has no receipt', async () => {
    expect(await rpc.ask('eth_getTransactionByHash', undone)).toBeNull();
    expect(await rpc.ask('eth_getTransactionReceipt', undone)).toBeNull();
    expect(await rpc.ask('eth_getTransactionByBlockNumberAndIndex', '0x12', '0x0')).toBeNull();
    const block = await rpc.ask('eth_getBlockByNumber', '0x12', false);
    expect(block.transactions).toEqual([reverted, halted, unsaid]);
  });

  it.each<[string, string | undefined, string | undefined]>([
    ['0x of a revert that said nothing', reverted, '0x'],
    ['the name of what ended it', halted, nameOf('INSUFFICIENT_GAS')],
    ['nothing where no reason is known', unsaid, undefined],
    ['nothing of what did not fail', one, undefined],
  ])('has as a reason %s', async (_name, hash, expected) => {
    const receipt = await rpc.ask('eth_getTransactionReceipt', hash);
    expect([receipt.revertReason, receipt.status]).toEqual([expected, hash === one ? '0x1' : '0x0']);
    const listed = await rpc.ask('eth_getBlockReceipts', receipt.blockHash);
    expect(listed.find(({ transactionHash }: { transactionHash: string }) => transactionHash === hash)).toEqual(
      receipt,
    );
  });
});

describe('state', () => {
  it.each<[string, string[], string]>([
    ['a balance now', ['eth_getBalance', address('a'), 'latest'], block(900n * 10n ** 10n)],
    ['a balance by a long-zero address', ['eth_getBalance', longZero(1001n), 'latest'], block(900n * 10n ** 10n)],
    ['one below the newest is now', ['eth_getBalance', address('a'), '0x1d'], block(900n * 10n ** 10n)],
    ['a balance before a transfer', ['eth_getBalance', address('a'), '0x13'], block(893n * 10n ** 10n)],
    ['a balance before two', ['eth_getBalance', address('a'), '0xc'], block(923n * 10n ** 10n)],
    ['by the hash of the block', ['eth_getBalance', address('a'), blockHash(12n)], block(923n * 10n ** 10n)],
    ['before the account was', ['eth_getBalance', longZero(1002n), '0xe'], '0x0'],
    ['nobody', ['eth_getBalance', address('9'), 'latest'], '0x0'],
    ['code', ['eth_getCode', address('c'), 'latest'], '0x6001'],
    ['code by number', ['eth_getCode', longZero(2001n), '0x5'], '0x6001'],
    ['code of a deleted contract', ['eth_getCode', longZero(2002n), 'latest'], '0x'],
    ['before it was deleted', ['eth_getCode', longZero(2002n), '0x5'], '0x6002'],
    ['code of a token', ['eth_getCode', longZero(3001n), 'latest'], `0xef0100${longZero(0x167n).slice(2)}`],
    ['code of a schedule', ['eth_getCode', longZero(3002n), 'latest'], `0xef0100${longZero(0x16bn).slice(2)}`],
    ['code of a delegated account', ['eth_getCode', longZero(1003n), 'latest'], `0xef0100${'d'.repeat(40)}`],
    ['code of an account', ['eth_getCode', address('a'), 'latest'], '0x'],
    ['code of 0x167', ['eth_getCode', longZero(0x167n), 'latest'], '0xfe'],
    ['code of 0x16b', ['eth_getCode', longZero(0x16bn), 'latest'], '0xfe'],
    ['code in a block that is not there', ['eth_getCode', address('c'), '0xffff'], '0x'],
    ['a slot now', ['eth_getStorageAt', address('c'), '0x1', 'latest'], word(10n)],
    ['a slot then', ['eth_getStorageAt', address('c'), word(1n), '0xa'], word(9n)],
    ['a slot before it was written', ['eth_getStorageAt', address('c'), '0x01', '0x7'], word(0n)],
    ['a slot of nobody', ['eth_getStorageAt', address('9'), '0x1', 'latest'], word(0n)],
    ['a nonce', ['eth_getTransactionCount', address('a'), 'latest'], '0x9'],
    ['a nonce pending', ['eth_getTransactionCount', address('a'), 'pending'], '0x9'],
    ['a nonce then', ['eth_getTransactionCount', address('a'), '0xb'], '0x4'],
    [
      'a nonce by hash, of the newest transaction before',
      ['eth_getTransactionCount', address('a'), blockHash(13n)],
      '0x4',
    ],
    ['a nonce in block 1', ['eth_getTransactionCount', address('a'), '0x1'], '0x0'],
    ['a nonce in the earliest block', ['eth_getTransactionCount', address('a'), 'earliest'], '0x0'],
    ['a nonce of a contract without one', ['eth_getTransactionCount', address('c'), 'latest'], '0x1'],
    ['a nonce of nobody', ['eth_getTransactionCount', address('9'), 'latest'], '0x0'],
    ['gas price', ['eth_gasPrice'], block(60n * 10n ** 10n)],
    [
      'digest',
      ['web3_sha3', '0x68656c6c6f20776f726c64'],
      '0x47173285a8d7341e5e972fc677286384f802f8ef42a5ec5f03bbfa254cb01fad',
    ],
    ['digest of much', ['web3_sha3', `0x${'5a'.repeat(100_000)}`], keccak256(`0x${'5a'.repeat(100_000)}`)],
    ['chain', ['eth_chainId'], '0x12a'],
    ['network', ['net_version'], '298'],
    ['program', ['web3_clientVersion'], 'ledger-mirror/1.2.3'],
  ])('%s', async (_name, [method, ...params], expected) => {
    expect(await rpc.ask(method!, ...params)).toBe(expected);
  });

  it.each<[string, unknown[], unknown]>([
    ['eth_hashrate', [], '0x0'],
    ['eth_mining', [], false],
    ['eth_submitWork', ['0x1', '0x2', '0x3'], false],
    ['net_listening', [], true],
    ['eth_getUncleByBlockHashAndIndex', [blockHash(10n), '0x0'], null],
    ['eth_getUncleByBlockNumberAndIndex', ['0xa', '0x0'], null],
    ['eth_getUncleCountByBlockHash', [blockHash(10n)], '0x0'],
    ['eth_getUncleCountByBlockNumber', ['0xa'], '0x0'],
  ])('%s, which depends on no block', async (method, params, expected) => {
    expect(await rpc.ask(method, ...params)).toBe(expected);
  });

  it.each([
    ['eth_coinbase', 'no account receives what blocks earn'],
    ['eth_getWork', 'nothing is mined'],
    ['eth_submitHashrate', 'nothing is mined'],
    ['eth_sendTransaction', 'this server has no keys; wallets sign, and eth_sendRawTransaction sends'],
    ['eth_signTransaction', 'this server has no keys; wallets sign, and eth_sendRawTransaction sends'],
  ])('%s is refused with the reason', async (method, reason) => {
    const message = `Unsupported JSON-RPC method: ${reason}`;
    expect(await rpc.refusal(method)).toEqual({ status: 400, code: -32601, message });
  });

  it.each<[string, unknown[], number, string]>([
    [
      'eth_getBalance',
      [address('a'), hashText('ab')],
      -32001,
      `Requested resource not found. block '${hashText('ab')}'.`,
    ],
    ['eth_getStorageAt', [address('c'), '0x1', '0xffff'], -32001, "Requested resource not found. block '0xffff'."],
    ['eth_getTransactionCount', [address('a'), '0xffff'], -39012, 'Unknown block'],
    ['eth_feeHistory', ['0x1', '0xffff'], -32000, 'Request beyond head block: requested 65535, head 30'],
    ['eth_getLogs', [{ fromBlock: '0x5', toBlock: '0x4' }], -39013, 'Invalid block range'],
    ['eth_getLogs', [{ toBlock: '0x4' }], -32011, 'Provided toBlock parameter without specifying fromBlock'],
    [
      'eth_getLogs',
      [{ blockHash: hashText('ab'), toBlock: '0x4' }],
      -32602,
      "Invalid parameter 0: Can't use both blockHash and toBlock/fromBlock",
    ],
    ['eth_getLogs', [{ block: 1 }], -32602, "Invalid parameter 'block' for FilterObject: Unknown parameter"],
    [
      'eth_getLogs',
      [{ topics: ['0x1'] }],
      -32602,
      'Invalid parameter \'topics\' for FilterObject: Expected an array or array of arrays, each 0x prefixed string representing the hash (32 bytes) of a topic, value: ["0x1"]',
    ],
    ['eth_getFilterChanges', ['0x1'], -32001, 'Filter not found'],
    ['eth_getFilterLogs', ['0x1'], -32001, 'Filter not found'],
    ['eth_newFilter', [{ fromBlock: '0x5', toBlock: '0x4' }], -39013, 'Invalid block range'],
    [
      'eth_sendRawTransaction',
      ['0x01'],
      -32610,
      'Unsupported operation. This mirror only reads; --relay-url names a JSON-RPC relay that sends transactions.',
    ],
    [
      'eth_getProof',
      [],
      -32601,
      'Unsupported JSON-RPC method: the state of the network is in no Merkle Patricia trie; REST proves blocks and transactions',
    ],
    [
      'eth_protocolVersion',
      [],
      -32601,
      "Unsupported JSON-RPC method: this server speaks none of Ethereum's protocols between nodes",
    ],
    [
      'eth_sign',
      [],
      -32601,
      'Unsupported JSON-RPC method: this server has no keys; wallets sign, and eth_sendRawTransaction sends',
    ],
    ['engine_newPayloadV1', [], -32601, 'Unsupported JSON-RPC method: the network has no consensus client'],
    ['trace_rawTransaction', [], -32601, 'Not yet implemented'],
    ['eth_nothing', [], -32601, 'Method eth_nothing not found'],
    ['eth_getBalance', [], -32602, 'Missing value for required parameter 0'],
    ['eth_getBlockReceipts', [], -32602, 'Missing value for required parameter 0'],
    [
      'eth_feeHistory',
      ['0x1', 'latest', [75, 25]],
      -32602,
      'Invalid parameter 2: Expected an array of up to 100 numbers between 0 and 100, none below the one before, value: [75,25]',
    ],
    [
      'eth_getTransactionByHash',
      [`0x${'1'.repeat(63)}`],
      -32602,
      `Invalid parameter 0: Expected 0x prefixed string representing the hash (32 bytes) of a transaction, value: 0x${'1'.repeat(63)}`,
    ],
    [
      'eth_call',
      [{ to: address('c') }, { blockHash: '0x1' }],
      -32602,
      `Invalid parameter 'blockHash' for BlockHashObject: Expected 0x prefixed string representing the hash (32 bytes) of a block, value: 0x1`,
    ],
    ['eth_getBalance', [null, 'latest'], -32602, 'Invalid parameter 0: The value passed is not valid: null.'],
    [
      'eth_getBalance',
      ['0x1', 'latest'],
      -32602,
      'Invalid parameter 0: Expected 0x prefixed string representing the address (20 bytes), value: 0x1',
    ],
    [
      'eth_getBalance',
      [address('a'), 'newest'],
      -32602,
      'Invalid parameter 1: The value passed is not valid: newest. Expected 0x prefixed hexadecimal block number, or the string "latest", "earliest" or "pending" OR Expected 0x prefixed string representing the hash (32 bytes) of a block',
    ],
    ['eth_getBalance', [address('a'), 'latest', 1], -32602, 'Invalid params'],
    ['eth_getBalance', [address('a'), null, null, 1], -32602, 'Invalid params'],
    [
      'eth_call',
      [{ to: '0x12' }, 'latest'],
      -32012,
      'Invalid Contract Address: 0x12. Expected length of 42 chars but was 4.',
    ],
    ['eth_call', [{ to: address('c') }, {}], -32000, 'Invalid arguments: neither block nor hash specified'],
    [
      'debug_traceTransaction',
      [hashText('ab'), { tracer: 'callTracer' }],
      -32001,
      `Requested resource not found. Failed to retrieve transaction information for ${hashText('ab')}`,
    ],
    ['debug_traceBlockByNumber', ['0xa', { tracer: 'opcodeLogger' }], -32601, 'Unsupported JSON-RPC method'],
    [
      'debug_traceTransaction',
      [one, { tracer: 'muxTracer', tracerConfig: { opcodeLogger: {} } }],
      -32602,
      `Invalid parameter 'opcodeLogger' for muxTracer: Expected one of 4byteTracer, callTracer, flatCallTracer, noopTracer, prestateTracer`,
    ],
    [
      'debug_traceTransaction',
      [one, { tracer: '{step: function() {}}' }],
      -32602,
      `Invalid parameter 'tracer' for TracerConfigWrapper: Expected TracerType, value: {step: function() {}}`,
    ],
    [
      'debug_traceTransaction',
      [one, { tracer: 'callTracer', tracerConfig: { withLog: 1 } }],
      -32602,
      `Invalid parameter 'withLog' for TracerConfig: Expected boolean type, value: 1`,
    ],
    [
      'debug_traceCall',
      [{ to: address('c') }, 'latest', { txIndex: '0x0' }],
      -32602,
      `Invalid parameter 'txIndex' for TracerConfigWrapper: The state between two transactions of a block is not kept: calls run on the state after a block, value: 0x0`,
    ],
    [
      'debug_traceCall',
      [{ to: address('c') }, '0xffff', { tracer: 'callTracer' }],
      -32000,
      'Error occurred during transaction simulation: Unknown block number',
    ],
    [
      'trace_call',
      [{ to: address('c') }, ['trace', 'vmTrace'], 'latest'],
      -32602,
      `Invalid parameter 'vmTrace': It is not made; debug_traceTransaction and debug_traceCall list opcodes`,
    ],
    [
      'trace_replayTransaction',
      [one, ['traces']],
      -32602,
      'Invalid parameter 1: Expected an array of "trace" and "stateDiff", value: ["traces"]',
    ],
    [
      'trace_callMany',
      [[{ to: address('c') }], 'latest'],
      -32602,
      `Invalid parameter 0: Expected an array of up to 100 [call, trace types], value: [{"to":"${address('c')}"}]`,
    ],
    // Which of its calls emitted the log only a run could say.
    [
      'debug_traceTransaction',
      [one, { tracer: 'callTracer', tracerConfig: { withLog: true } }],
      -32000,
      'The transaction does not end as the ledger says when it is run again: output, logs differ',
    ],
  ])('%s %j is refused', async (method, params, code, message) => {
    expect(await rpc.refusal(method, ...params)).toEqual({ status: 400, code, message });
  });

  it.each<[string, unknown[]]>([
    ['eth_getBalance', [address('a')]],
    ['eth_getCode', [address('c')]],
    ['eth_getStorageAt', [address('c'), '0x1']],
    ['eth_getTransactionCount', [address('a')]],
    ['eth_call', [{ to: address('c') }]],
    ['eth_estimateGas', [{ to: address('c') }]],
    ['eth_call', [{ to: address('c'), from: null, gas: null, gasPrice: null, value: null, data: null, input: null }]],
  ])('%s %j without a block, or with null, is of the newest', async (method, params) => {
    const ofNewest = await rpc.ask(method, ...params, 'latest');
    expect(await rpc.ask(method, ...params)).toEqual(ofNewest);
    expect(await rpc.ask(method, ...params, null)).toEqual(ofNewest);
    expect(await rpc.ask(method, ...params, null, null)).toEqual(ofNewest);
  });

  it('the history of fees', async () => {
    const now = block(60n * 10n ** 10n);
    expect(await rpc.ask('eth_feeHistory', '0x2', 'latest', [25, 75])).toEqual({
      ...{ baseFeePerGas: [now, now, now], gasUsedRatio: [0.5, 0.5], oldestBlock: '0x1d' },
      reward: [
        ['0x0', '0x0'],
        ['0x0', '0x0'],
      ],
    });
    expect((await rpc.ask('eth_feeHistory', '0xff', 'latest')).gasUsedRatio).toHaveLength(10);
    expect(await rpc.ask('eth_feeHistory', '0x0', 'latest')).toEqual({
      ...{ baseFeePerGas: [], gasUsedRatio: [], oldestBlock: '0x0' },
    });
    // Equal ones do not fall.
    expect((await rpc.ask('eth_feeHistory', '0x1', 'latest', [5, 5, 90])).reward).toHaveLength(1);
  });
});

describe('logs', () => {
  const places = async (filter: object): Promise<string[]> =>
    (await rpc.ask('eth_getLogs', filter)).map(
      (log: { blockNumber: string; logIndex: string }) => `${Number(log.blockNumber)}/${Number(log.logIndex)}`,
    );
  const all = { fromBlock: '0x0', toBlock: 'latest' };

  it.each<[string, object, string[]]>([
    ['all', all, ['10/0', '10/1', '11/0', '12/1', '14/2']],
    ['of one address', { ...all, address: address('c') }, ['10/0', '11/0', '12/1', '14/2']],
    [
      'of several',
      { ...all, address: [longZero(3001n), address('c'), address('9')] },
      ['10/0', '10/1', '11/0', '12/1', '14/2'],
    ],
    ['of nobody', { ...all, address: address('9') }, []],
    ['with a topic', { ...all, topics: [transfer] }, ['10/0', '10/1']],
    ['with one of two topics', { ...all, topics: [[transfer, word(7n)]] }, ['10/0', '10/1', '11/0', '14/2']],
    ['with a second topic', { ...all, topics: [null, word(0x3e9n)] }, ['10/1']],
    ['with a first topic, whatever it is', { ...all, topics: [null] }, ['10/0', '10/1', '11/0', '12/1', '14/2']],
    ['with two, whatever they are', { ...all, topics: [null, null] }, ['10/0', '10/1']],
    ['with two, by none of which is compared', { ...all, topics: [[], []] }, ['10/0', '10/1']],
    ['with a topic and two more', { ...all, topics: [transfer, null, null] }, ['10/1']],
    ['of one address with two', { ...all, address: address('c'), topics: [null, null] }, ['10/0']],
    ['with four', { ...all, topics: [null, null, null, null] }, []],
    [
      'with null for all that is not meant',
      { ...all, address: null, topics: null, blockHash: null },
      ['10/0', '10/1', '11/0', '12/1', '14/2'],
    ],
    ['with null as the last block', { fromBlock: '0xb', toBlock: null }, ['11/0', '12/1', '14/2']],
    ['with a topic of zeros', { ...all, topics: [word(0n)] }, ['12/1']],
    ['from a block on', { fromBlock: '0xb' }, ['11/0', '12/1', '14/2']],
    ['up to a block', { fromBlock: '0x0', toBlock: '0xb' }, ['10/0', '10/1', '11/0']],
    ['of a block', { blockHash: blockHash(12n) }, ['12/1']],
    ['of an unknown block', { blockHash: hashText('ab') }, []],
    ['of the newest block', {}, []],
    ['up to a block that is not there yet', { fromBlock: '0x0', toBlock: '0xffff' }, []],
  ])('%s', async (_name, filter, expected) => {
    expect(await places(filter)).toEqual(expected);
  });

  it('are told once by a filter, and all of them again when asked for', async () => {
    const id = await rpc.ask('eth_newFilter', { fromBlock: '0xa', toBlock: 'latest', topics: [transfer] });
    expect(await rpc.ask('eth_getFilterChanges', id)).toHaveLength(2);
    expect(await rpc.ask('eth_getFilterChanges', `0x00${id.slice(2)}`)).toEqual([]);
    expect(await rpc.ask('eth_getFilterLogs', id)).toHaveLength(2);
    expect(await rpc.ask('eth_uninstallFilter', id)).toBe(true);
    expect(await rpc.ask('eth_uninstallFilter', id)).toBe(false);
    expect(await rpc.refusal('eth_getFilterChanges', id)).toMatchObject({ code: -32001 });
  });

  it('wait for blocks', async () => {
    const id = await rpc.ask('eth_newBlockFilter');
    expect(await rpc.ask('eth_getFilterChanges', id)).toEqual([]);
    expect(await rpc.refusal('eth_getFilterLogs', id)).toMatchObject({ code: -32001 });
  });
});

describe('traces', () => {
  it('are the stored calls', async () => {
    const trace = await rpc.ask('debug_traceTransaction', one, { tracer: 'callTracer' });
    expect(trace).toMatchObject({
      ...{ type: 'CALL', from: address('a'), to: address('c'), gas: block(60_000n), gasUsed: block(30_000n) },
      ...{ input: '0xaabbccdd01', output: '0x07', value: block(30_000_000_000n) },
    });
    const inner = {
      from: address('c'),
      to: address('c'),
      gas: '0x3e8',
      gasUsed: '0x1f4',
      input: '0x0102',
      output: '0x03',
      value: '0x4a817c800',
    };
    expect(trace.calls).toEqual([
      { type: 'DELEGATECALL', ...inner },
      { type: 'STATICCALL', ...inner },
    ]);
    const paths = await rpc.ask('trace_transaction', one);
    expect(paths.map(({ traceAddress, subtraces }: PathTrace) => [traceAddress, subtraces])).toEqual([
      [[], 2],
      [[0], 0],
      [[1], 0],
    ]);
    expect(paths[1]).toEqual({
      ...{ type: 'call', blockHash: blockHash(10n), blockNumber: 10, transactionHash: one, transactionPosition: 0 },
      action: {
        ...{ callType: 'delegatecall', from: inner.from, to: inner.to },
        ...{ gas: inner.gas, input: inner.input, value: inner.value },
      },
      ...{ result: { gasUsed: inner.gasUsed, output: inner.output }, subtraces: 0, traceAddress: [0] },
    });
    const listed = await rpc.ask('ots_traceTransaction', one);
    expect(listed.map(({ type, depth, value }: Record<string, unknown>) => [type, depth, value])).toEqual([
      ['CALL', 0, trace.value],
      ['DELEGATECALL', 1, null],
      ['STATICCALL', 1, null],
    ]);
    expect(await rpc.ask('ots_getInternalOperations', one)).toEqual([]);
    expect(await rpc.ask('ots_traceTransaction', hashText('ab'))).toEqual([]);
    expect(await rpc.ask('ots_getTransactionError', one)).toBe('0x');
    expect(await rpc.ask('ots_hasCode', address('c'), 'latest')).toBe(true);
    expect(await rpc.ask('ots_hasCode', address('a'), 'latest')).toBe(false);
    expect(await rpc.ask('trace_get', one, ['0x1'])).toEqual(paths[2]);
    expect(await rpc.ask('trace_get', one, [2])).toBeNull();
    expect(await rpc.ask('trace_transaction', hashText('ab'))).toBeNull();
    const top = await rpc.ask('debug_traceTransaction', one, {
      tracer: 'callTracer',
      tracerConfig: { onlyTopCall: true },
    });
    expect(top).toEqual({ ...trace, calls: [] });
  });

  it('of blocks are found by who called and who was called', async () => {
    const all = await rpc.ask('trace_block', '0xa');
    expect(await rpc.ask('trace_block', blockHash(10n))).toEqual(all);
    expect(await rpc.ask('trace_block', '0xffff')).toBeNull();
    expect(all.map(({ transactionHash }: PathTrace) => transactionHash)).toEqual([one, one, one, two, three]);
    expect(all[3]).toMatchObject({ error: 'Reverted', result: null });
    const find = (filter: object): Promise<PathTrace[]> =>
      rpc.ask('trace_filter', { fromBlock: '0xa', toBlock: '0xa', ...filter });
    expect(await find({})).toEqual(all);
    expect(await find({ after: 1, count: 2 })).toEqual(all.slice(1, 3));
    const sent = await find({ fromAddress: [address('a')] });
    expect(sent).toEqual(all.filter(({ action }: PathTrace) => action.from === address('a')));
    const nobody = { fromAddress: [address('a')], toAddress: [address('a')] };
    expect(await find(nobody)).toEqual([]);
    // As alloy writes it.
    const asWritten = { fromAddress: [], mode: 'union', after: null, count: null };
    expect(await find({ ...asWritten, toAddress: [address('c')] })).toEqual(await find({ toAddress: [address('c')] }));
    expect(await find({ ...nobody, mode: 'union' })).toEqual(sent);
    expect(await find({ ...nobody, mode: 'intersection' })).toEqual([]);
    expect(await find({ toAddress: [address('c').toUpperCase().replace('0X', '0x')] })).toEqual(
      all.filter(({ action }: PathTrace) => action.to === address('c')),
    );
    expect(await rpc.refusal('trace_filter', { fromBlock: '0x0', toBlock: '0x64' })).toMatchObject({ code: -32000 });
    expect(await rpc.refusal('trace_filter', { fromBlock: '0xa', toBlock: '0x9' })).toMatchObject({ code: -39013 });
    expect(await rpc.refusal('trace_filter', { mode: 'both' })).toMatchObject({ code: -32602 });
    expect(await rpc.refusal('trace_filter', { count: -1 })).toMatchObject({ code: -32602 });
  });

  it('of a whole block', async () => {
    const traces = await rpc.ask('debug_traceBlockByNumber', '0xa', { tracer: 'callTracer' });
    expect(traces.map(({ txHash }: { txHash: string }) => txHash)).toEqual([one, two, three, four]);
    expect(traces[1].result).toMatchObject({ error: 'CONTRACT_REVERT_EXECUTED' });
    expect(traces[3].result).toMatchObject({ type: 'CALL', from: address('a'), to: longZero(1002n), calls: [] });
    expect(await rpc.ask('debug_traceBlockByHash', blockHash(10n), { tracer: 'callTracer' })).toEqual(traces);
    expect(await rpc.ask('debug_traceTransaction', four, { tracer: 'callTracer' })).toEqual(traces[3].result);
    const withLog = { tracer: 'callTracer', tracerConfig: { withLog: true } };
    const [first, second, , fourth] = await rpc.ask('debug_traceBlockByNumber', '0xa', withLog);
    // Where it cannot be said which call emitted a log, the others are traced all the same.
    expect(first).toEqual({ txHash: one, error: expect.stringContaining('does not end as the ledger says') });
    expect(second).toEqual(traces[1]);
    const { logs, ...transfer } = fourth.result;
    expect(transfer).toEqual(traces[3].result);
    const [log] = await rpc.ask('eth_getLogs', { fromBlock: '0xa', toBlock: '0xa', address: longZero(3001n) });
    expect(logs).toEqual([
      { address: log.address, topics: log.topics, data: log.data, index: log.logIndex, position: '0x0' },
    ]);
    expect(await rpc.ask('debug_traceTransaction', four, { tracer: 'flatCallTracer' })).toEqual([]);
    expect(await rpc.ask('debug_traceTransaction', four, { tracer: '4byteTracer' })).toEqual({});
    const changes = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } };
    expect(await rpc.ask('debug_traceTransaction', four, changes)).toEqual({ pre: {}, post: {} });
    const replayed = await rpc.ask('trace_replayBlockTransactions', '0xa', ['trace']);
    const { transactionHash, ...empty } = replayed[3];
    expect([transactionHash, empty]).toEqual([four, { output: '0x', stateDiff: null, trace: [], vmTrace: null }]);
    expect(await rpc.ask('trace_replayTransaction', four, ['trace'])).toEqual(empty);
    expect(await rpc.ask('trace_replayTransaction', four, ['stateDiff'])).toEqual({ ...empty, stateDiff: {} });
    expect(await rpc.ask('trace_transaction', four)).toEqual([]);
    expect(await rpc.ask('trace_replayTransaction', hashText('ab'), ['trace'])).toBeNull();
    expect(await rpc.refusal('trace_replayBlockTransactions', '0xa', ['stateDiff'])).toMatchObject({
      ...{ code: -32000, message: expect.stringContaining(`${one}: The transaction does not end as the ledger says`) },
    });
    expect(await rpc.ask('trace_replayBlockTransactions', '0xffff', ['trace'])).toBeNull();
  });
});
