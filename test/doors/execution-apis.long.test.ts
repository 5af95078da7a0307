// What ethereum/execution-apis says of answers, over every block of a ledger with transactions of every type: which
// members each has, of which form, and that there are no others; and what holds between them. Libraries that read
// strictly read the newest of it.
import { RLP } from '@ethereumjs/rlp';
import { JsonRpcProvider, Network, Transaction } from 'ethers';
import { createPublicClient, http } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { merkleRoot } from '../../packages/protocol/ethereum/merkle-root.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { serveRpc } from '../../packages/test-support/rpc/serve-rpc.ts';
import { allOf, type Json, readChain, type Told, type Whole } from './read-chain.ts';
import { differences, type Form } from './tool-requests.ts';

/** Members that have to be there, and such as may be: no others are. */
type Schema = { has: Record<string, Form>; may?: Record<string, Form> };

const uint = /^0x(0|[1-9a-f][0-9a-f]*)$/;
const uint256 = /^0x(0|[1-9a-f][0-9a-f]{0,63})$/;
const byte = /^0x[0-9a-f]{1,2}$/;
const bytes = /^0x[0-9a-f]*$/;
const hash = /^0x[0-9a-f]{64}$/;
const address = /^0x[0-9a-fA-F]{40}$/;
const bloom = /^0x[0-9a-f]{512}$/;
const orNull =
  (form: RegExp): Form =>
  (value) =>
    value === null || form.test(value);

/** What is not as it has to be, by path. */
function judge({ has, may = {} }: Schema, value: Json, path = ''): string[] {
  const found = differences(has, value, path);
  for (const [member, one] of Object.entries(value ?? {})) {
    if (member in has) continue;
    if (member in may) found.push(...differences(may[member]!, one, `${path}.${member}`));
    else found.push(`${path}.${member}: no such member`);
  }
  return found;
}
const fits =
  (schema: Schema): Form =>
  (value) =>
    judge(schema, value).length === 0;

const place = { blockHash: hash, blockNumber: uint, transactionIndex: uint };
const log: Schema = {
  has: {
    ...{ ...place, transactionHash: hash, logIndex: uint, blockTimestamp: uint, address, data: bytes },
    ...{ topics: [hash] as [Form], removed: (value) => value === false },
  },
};
const receipt: Schema = {
  has: {
    ...{ ...place, transactionHash: hash, from: address, to: orNull(address), cumulativeGasUsed: uint, gasUsed: uint },
    ...{ contractAddress: orNull(address), logs: [fits(log)] as [Form], logsBloom: bloom, effectiveGasPrice: uint },
    ...{ type: byte, status: /^0x[01]$/ },
  },
  // Beyond the schema: as Besu and the relay say it.
  may: { root: hash, revertReason: bytes },
};
const ofEvery = {
  ...{ ...place, blockTimestamp: uint, from: address, to: orNull(address), hash, nonce: uint, gas: uint, value: uint },
  ...{ input: bytes, gasPrice: uint, r: uint256, s: uint256 },
};
const access: Form = [fits({ has: { address, storageKeys: [hash] } })];
const authorization = { chainId: uint, nonce: uint, address, yParity: byte, r: uint256, s: uint256 };
const typed = { ...ofEvery, v: byte, yParity: /^0x[01]$/, chainId: uint, accessList: access };
const priced = { ...typed, maxFeePerGas: uint, maxPriorityFeePerGas: uint };
const transactions: Record<string, Schema> = {
  '0x0': { has: { ...ofEvery, type: /^0x0$/, v: uint }, may: { chainId: uint } },
  '0x1': { has: { ...typed, type: /^0x1$/ } },
  '0x2': { has: { ...priced, type: /^0x2$/ } },
  '0x4': { has: { ...priced, type: /^0x4$/, to: address, authorizationList: [fits({ has: authorization })] } },
};
const header = {
  ...{ hash, parentHash: hash, sha3Uncles: hash, miner: address, stateRoot: hash, transactionsRoot: hash },
  ...{ receiptsRoot: hash, logsBloom: bloom, number: uint, gasLimit: uint, gasUsed: uint, timestamp: uint },
  ...{ extraData: bytes, mixHash: hash, nonce: /^0x[0-9a-f]{16}$/, difficulty: uint, baseFeePerGas: uint },
  ...{ withdrawalsRoot: hash },
};
const block: Schema = {
  has: { ...header, size: uint, uncles: [hash], transactions: [() => true], withdrawals: [() => false] },
  may: { totalDifficulty: uint },
};

let ledger: OpenedLedger;
let db: Database;
let rpc: TestRpc;
let served: Awaited<ReturnType<typeof serveRpc>>;
let blocks: Whole[];
const all = (): Told[] => allOf(blocks);

beforeAll(async () => {
  ledger = await openLedger('contracts');
  db = openDatabase(ledger);
  rpc = openRpc(db);
  served = await serveRpc(db);
  blocks = await readChain(rpc);
});
afterAll(async () => {
  expect([rpc?.failures, served?.errors]).toEqual([[], []]);
  await rpc?.close();
  await served?.close();
  await db?.close();
  await ledger?.close();
});

describe('every', () => {
  it('block, header, transaction, receipt and log has the members of its schema and no others', async () => {
    expect(blocks.length).toBeGreaterThan(15);
    for (const { block: one, receipts } of blocks) {
      expect(judge(block, one)).toEqual([]);
      expect(judge({ has: header }, await rpc.ask('eth_getHeaderByNumber', one.number))).toEqual([]);
      expect(await rpc.ask('eth_getHeaderByHash', one.hash)).toMatchObject({ hash: one.hash, number: one.number });
      const named = await rpc.ask('eth_getBlockByHash', one.hash, false);
      expect(named.transactions).toEqual(one.transactions.map((transaction: Json) => transaction.hash));
      for (const transaction of one.transactions) {
        expect([transaction.hash, judge(transactions[transaction.type]!, transaction)]).toEqual([transaction.hash, []]);
      }
      for (const found of receipts) {
        expect([found.transactionHash, judge(receipt, found)]).toEqual([found.transactionHash, []]);
        for (const one of found.logs) expect(judge(log, one)).toEqual([]);
      }
    }
    const types = all().map(({ transaction }) => transaction.type);
    expect([...new Set(types)].sort()).toEqual(['0x0', '0x1', '0x2', '0x4']);
    // Transfers of tokens without code, creations, and what failed.
    expect(all().some(({ receipt: one }) => one.gasUsed === '0x0' && one.logs.length > 0)).toBe(true);
    expect(all().some(({ transaction }) => transaction.to === null)).toBe(true);
    expect(all().some(({ receipt: one }) => one.revertReason !== undefined)).toBe(true);
  });

  it('receipt tells the same story as its transaction and block', () => {
    let created = 0;
    for (const { block: one, receipts } of blocks) {
      let gas = 0n;
      for (const [at, found] of receipts.entries()) {
        const transaction = one.transactions[at];
        gas += BigInt(found.gasUsed);
        expect(found).toMatchObject({
          ...{ transactionHash: transaction.hash, from: transaction.from, to: transaction.to, type: transaction.type },
          ...{ transactionIndex: transaction.transactionIndex, blockHash: one.hash, blockNumber: one.number },
          cumulativeGasUsed: `0x${gas.toString(16)}`,
        });
        expect(transaction.blockTimestamp).toBe(one.timestamp);
        for (const { blockTimestamp } of found.logs) expect(blockTimestamp).toBe(one.timestamp);
        const { maxFeePerGas, gasPrice } = transaction;
        if (maxFeePerGas !== undefined) expect(gasPrice).toBe(found.effectiveGasPrice);
        // Libraries count what is above the base fee as a tip.
        for (const price of [gasPrice, found.effectiveGasPrice])
          expect(BigInt(price)).toBeGreaterThanOrEqual(BigInt(one.baseFeePerGas));
        if (transaction.to !== null) expect(found.contractAddress).toBeNull();
        else if (found.status === '0x1') created += Number(address.test(found.contractAddress));
        expect(found.revertReason === undefined || found.status === '0x0').toBe(true);
      }
    }
    expect(created).toBeGreaterThan(0);
  });

  it('transaction and receipt is the same by hash and by place', async () => {
    for (const { transaction, receipt: listed } of all().filter((_, at) => at % 7 === 0)) {
      const { hash: name, blockHash, blockNumber, transactionIndex } = transaction;
      expect([
        await rpc.ask('eth_getTransactionByHash', name),
        await rpc.ask('eth_getTransactionByBlockHashAndIndex', blockHash, transactionIndex),
        await rpc.ask('eth_getTransactionByBlockNumberAndIndex', blockNumber, transactionIndex),
        await rpc.ask('eth_getTransactionReceipt', name),
      ]).toEqual([transaction, transaction, transaction, listed]);
    }
  });

  it('signed transaction is there as its sender signed it, and no other', async () => {
    const seen = new Set<number | null>();
    for (const { transaction } of all()) {
      const { hash: name, r } = transaction;
      if (r === '0x0') {
        expect(await rpc.refusal('debug_getRawTransaction', name)).toMatchObject({ code: -32001 });
        continue;
      }
      const read = Transaction.from(await rpc.ask('debug_getRawTransaction', name));
      expect([read.hash, read.to?.toLowerCase() ?? null, read.nonce]).toEqual([
        ...[name, transaction.to === null ? null : expect.any(String), Number(transaction.nonce)],
      ]);
      seen.add(read.type);
    }
    expect([...seen].sort()).toEqual([0, 1, 2, 4]);
  });

  it("raw receipt is a leaf of its block's receiptsRoot", async () => {
    for (const { block: one, receipts } of blocks) {
      const raw: string[] = await rpc.ask('debug_getRawReceipts', one.hash);
      const leaves = receipts.map(({ transactionIndex }, at) => [
        ...[RLP.encode(BigInt(transactionIndex)), Buffer.from(raw[at]!.slice(2), 'hex')],
      ]) as [Uint8Array, Uint8Array][];
      expect([raw.length, `0x${merkleRoot(leaves).toString('hex')}`]).toEqual([receipts.length, one.receiptsRoot]);
    }
  });
});

describe('every other method', () => {
  const pool: Schema = { has: { pending: (value) => Object.keys(value).length === 0, queued: () => true } };
  const fees: Schema = {
    has: { oldestBlock: uint, baseFeePerGas: [uint], gasUsedRatio: [(value) => value >= 0 && value <= 1] },
    may: { reward: [[uint]] },
  };
  const a = `0x${'0'.repeat(37)}3e9`;

  it.each<[string, unknown[], Form]>([
    ['eth_chainId', [], uint],
    ['eth_syncing', [], (value) => value === false],
    ['eth_accounts', [], [address]],
    ['eth_blockNumber', [], uint],
    ['net_version', [], /^(0|[1-9][0-9]*)$/],
    ['eth_getBalance', [a], uint],
    ['eth_getStorageAt', [a, '0x0'], bytes],
    ['eth_getTransactionCount', [a, 'latest'], uint],
    ['eth_getCode', [a], bytes],
    ['eth_call', [{ to: a }], bytes],
    ['eth_estimateGas', [{ to: a }], uint],
    ['eth_gasPrice', [], uint],
    ['eth_baseFee', [], uint],
    ['eth_blobBaseFee', [], /^0x1$/],
    ['eth_maxPriorityFeePerGas', [], uint],
    ['eth_feeHistory', ['0x4', 'latest', [10, 50]], fits(fees)],
    ['eth_feeHistory', ['0x0', 'latest', []], fits(fees)],
    ['eth_newBlockFilter', [], uint],
    ['eth_newFilter', [{}], uint],
    ['eth_uninstallFilter', ['0x1'], (value) => value === false],
    ['eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }], [fits(log)]],
    ['eth_getBlockTransactionCountByNumber', ['latest'], uint],
    ['eth_getUncleCountByBlockNumber', ['latest'], uint],
    ['eth_getBlockByHash', [`0x${'ab'.repeat(32)}`, true], (value) => value === null],
    ['eth_getHeaderByNumber', ['0xffffff'], (value) => value === null],
    ['eth_getBlockReceipts', ['0xffffff'], (value) => value === null],
    ['debug_getBadBlocks', [], [() => false]],
    ['txpool_content', [], fits(pool)],
    ['txpool_contentFrom', [a], fits(pool)],
    ['txpool_inspect', [], fits(pool)],
    ['txpool_status', [], fits({ has: { pending: /^0x0$/, queued: /^0x0$/ } })],
  ])('%s %j', async (method, params, form) => {
    expect(differences(form, await rpc.ask(method, ...params))).toEqual([]);
  });

  it.each(['debug_getRawBlock', 'debug_getRawHeader'])('%s is refused', async (method) => {
    expect(await rpc.refusal(method, 'latest')).toMatchObject({ code: -32601 });
  });
});

describe('simulated blocks', () => {
  const error: Schema = {
    has: { code: (value) => value === 3 || value === -32015, message: (value) => value !== '' },
    may: { data: bytes },
  };
  const answered: Schema = {
    has: { status: /^0x1$/, returnData: bytes, gasUsed: uint, maxUsedGas: uint, logs: [fits(log)] as [Form] },
  };
  const failed: Schema = { has: { ...answered.has, status: /^0x0$/, error: fits(error) } };
  const simulated: Schema = {
    ...block,
    has: { ...block.has, calls: [(value) => [answered, failed].some((one) => judge(one, value).length === 0)] },
  };
  const a = `0x${'0'.repeat(37)}3e9`;
  const hash32 = `0x${'0'.repeat(63)}1`;
  const accessList = [{ address: a, storageKeys: [hash32] }];
  const calls = [
    { from: a, to: a, value: '0x1' },
    { from: a, data: '0x60ff60005260206000a0' },
    { from: a, to: a, gasPrice: '0x0' },
    { from: a, to: a, gasPrice: '0x0', accessList },
    { from: a, to: a, accessList, type: '0x2' },
    {
      from: a,
      to: a,
      authorizationList: [{ chainId: '0x0', address: a, nonce: '0x0', yParity: '0x0', r: '0x1', s: '0x1' }],
    },
    { from: a, data: '0xfe', gas: '0xffff' },
    { from: a, data: '0x60006000fd' },
  ];
  const whole = {
    blockStateCalls: [{ calls }, {}, { calls: calls.slice(0, 2) }],
    traceTransfers: true,
    returnFullTransactions: true,
  };

  it('have the members of their schema and no others, and so have their transactions', async () => {
    const found: Json[] = await rpc.ask('eth_simulateV1', whole);
    expect(found.map((one) => judge(simulated, one))).toEqual([[], [], []]);
    const listed = found.flatMap((one) => one.transactions);
    expect(listed.map(({ type }) => type)).toEqual([
      '0x2',
      '0x2',
      '0x0',
      '0x1',
      '0x2',
      '0x4',
      '0x2',
      '0x2',
      '0x2',
      '0x2',
    ]);
    for (const one of listed) expect(judge(transactions[one.type]!, one)).toEqual([]);
    const ended = found.flatMap((one) => one.calls.map(({ status, error: of }: Json) => [status, of?.code]));
    expect(ended.slice(0, 8)).toEqual([
      ...[...Array.from({ length: 6 }, () => ['0x1', undefined]), ['0x0', -32015], ['0x0', 3]],
    ]);
    const named: Json[] = await rpc.ask('eth_simulateV1', { ...whole, returnFullTransactions: false });
    expect(named.map((one) => one.transactions)).toEqual(
      found.map((one) => one.transactions.map((of: Json) => of.hash)),
    );
  });

  it('carry what system contracts wrote', async () => {
    const sent = all().flatMap(({ receipt: { logs } }) => logs.filter(({ topics }: Json) => topics.length === 3));
    const word = (value: bigint): string => value.toString(16).padStart(64, '0');
    let carried = 0;
    for (const { address: token, topics } of sent.slice(0, 40)) {
      const [owner, spender] = [`0x${topics[2].slice(26)}`, a];
      const approve = { from: owner, to: token, data: `0x095ea7b3${word(BigInt(spender))}${word(77n)}` };
      const allowance = { from: a, to: token, data: `0xdd62ed3e${word(BigInt(owner))}${word(BigInt(spender))}` };
      const blockStateCalls = [{ calls: [allowance, approve, allowance] }, { calls: [allowance] }];
      const blocks: Json[] = await rpc.ask('eth_simulateV1', { blockStateCalls });
      const [[before, approved, after], [later]] = blocks.map((one) => one.calls) as [Json[], Json[]];
      if (approved.status === '0x0' || before.status === '0x0') continue;
      carried += 1;
      expect([before.returnData, after.returnData, later.returnData]).toEqual([
        ...[await rpc.ask('eth_call', allowance, 'latest'), `0x${word(77n)}`, `0x${word(77n)}`],
      ]);
    }
    expect(carried).toBeGreaterThan(0);
  });

  it('answer a call as it is answered by itself', async () => {
    const asked = all()
      .map(({ transaction }) => transaction)
      .filter(({ to, input }) => to !== null && input.length > 10)
      .slice(-20);
    for (const { from, to, input: data } of asked) {
      const call = { from, to, data, gas: '0xf4240' };
      const [
        {
          calls: [found],
        },
      ] = await rpc.ask('eth_simulateV1', { blockStateCalls: [{ calls: [call] }] });
      const { body } = await rpc.post({ jsonrpc: '2.0', id: 1, method: 'eth_call', params: [call, 'latest'] });
      if (found.status === '0x1') expect([to, body.result]).toEqual([to, found.returnData]);
      else if (found.error.code === 3) expect(body.error).toMatchObject({ code: 3, data: found.returnData });
      else expect(body.error.code).toBe(-32000);
    }
    expect(asked.length).toBeGreaterThan(10);
  });
});

describe('the newest blocks, transactions and receipts are read', () => {
  const newest = (): Whole[] => blocks.slice(-3);

  it('by ethers', async () => {
    const provider = new JsonRpcProvider(served.rpcUrl, Network.from(298), { staticNetwork: true, batchMaxCount: 1 });
    try {
      for (const { block: one } of newest()) {
        const found = await provider.getBlock(Number(one.number), true);
        expect(found!.prefetchedTransactions).toHaveLength(one.transactions.length);
        for (const { hash: name, type, gasPrice } of one.transactions) {
          const read = await provider.getTransaction(name);
          expect([read!.hash, read!.type, read!.gasPrice]).toEqual([name, Number(type), BigInt(gasPrice)]);
          expect((await provider.getTransactionReceipt(name))!.hash).toBe(name);
        }
      }
    } finally {
      provider.destroy();
    }
  });

  it('by viem', async () => {
    const client = createPublicClient({ transport: http(served.rpcUrl) });
    const names: Record<string, string> = { '0x0': 'legacy', '0x1': 'eip2930', '0x2': 'eip1559', '0x4': 'eip7702' };
    for (const { block: one } of newest()) {
      const found = await client.getBlock({ blockNumber: BigInt(one.number), includeTransactions: true });
      expect(found.transactions.map(({ type }) => type)).toEqual(one.transactions.map(({ type }: Json) => names[type]));
      for (const { hash: name, blockTimestamp } of one.transactions) {
        expect((await client.getTransaction({ hash: name })).hash).toBe(name);
        expect((await client.getTransactionReceipt({ hash: name })).transactionHash).toBe(name);
        expect(found.timestamp).toBe(BigInt(blockTimestamp));
      }
    }
  });
});
