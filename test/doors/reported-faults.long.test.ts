// Faults of JSON-RPC over Hiero that users and tools reported in public, each as a request and what must be so. The
// source is a repository of GitHub and the number of the report there; without an owner it is hiero-ledger's.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { keccak256 } from '../../packages/protocol/keccak256.ts';
import { type OpenedLedger, openLedger } from '../../packages/test-support/ledgers/ledgers.ts';
import { openRpc, type TestRpc } from '../../packages/test-support/rpc/open-rpc.ts';
import { serveRpc } from '../../packages/test-support/rpc/serve-rpc.ts';
import { allOf, type Json, readChain, type Told, type Whole } from './read-chain.ts';

const quantity = /^0x(0|[1-9a-f][0-9a-f]*)$/;
const hash = /^0x[0-9a-f]{64}$/;
const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const zero = `0x${'0'.repeat(40)}`;
const selector = (signature: string) => keccak256(Buffer.from(signature)).toString('hex', 0, 4);
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0');
const textData = (text: string) =>
  word(0x20n) + word(BigInt(text.length)) + Buffer.from(text).toString('hex').padEnd(64, '0');
const hex = (value: bigint) => `0x${value.toString(16)}`;

let ledger: OpenedLedger;
let db: Database;
let rpc: TestRpc;
let served: Awaited<ReturnType<typeof serveRpc>>;
let blocks: Whole[];
let all: Told[];
let newest: bigint;
/** Addresses of contracts and of a token, whose transfers run no code. */
const at: Record<'counter' | 'coin' | 'reverter' | 'token' | 'account', string> = {
  ...{ counter: '', coin: '', reverter: '', token: '', account: '' },
};

beforeAll(async () => {
  ledger = await openLedger('contracts');
  db = openDatabase(ledger);
  rpc = openRpc(db);
  served = await serveRpc(db);
  blocks = await readChain(rpc);
  all = allOf(blocks);
  newest = BigInt(await rpc.ask('eth_blockNumber'));
  at.counter = await contractWith('increment()', 'underflow(uint256)');
  at.coin = await contractWith('balanceOf(address)', 'mint(address,uint256)');
  at.reverter = await contractWith('withReason(string)', 'withNothing()');
  at.token = synthetic()[0]!.receipt.logs[0].address;
  at.account = all.find(({ transaction }) => transaction.type === '0x2')!.transaction.from;
});
afterAll(async () => {
  expect([rpc?.failures, served?.errors]).toEqual([[], []]);
  await rpc?.close();
  await served?.close();
  await db?.close();
  await ledger?.close();
});

/** Transfers of tokens that only logs tell of. */
const synthetic = () => all.filter(({ receipt }) => receipt.gasUsed === '0x0' && receipt.logs.length > 0);

/** At an address of its own, if there is one, and not at that of its number. */
async function contractWith(...signatures: string[]): Promise<string> {
  const created = all.map(({ receipt }) => receipt.contractAddress).filter((address) => address !== null);
  const own = created.filter((address) => BigInt(address) >= 1n << 64n);
  for (const address of [...own, ...created]) {
    const code: string = await rpc.ask('eth_getCode', address, 'latest');
    if (signatures.every((signature) => code.includes(selector(signature)))) return address;
  }
  throw new Error(`No contract has ${signatures.join(', ')}`);
}

const post = async (method: string, ...params: unknown[]) =>
  (await rpc.post({ jsonrpc: '2.0', id: 7, method, params })).body;
const codeOf = async (method: string, ...params: unknown[]) => (await post(method, ...params)).error?.code;
const increments = () => `0x${keccak256(Buffer.from('Incremented(address,uint256)')).toString('hex')}`;
/** Every log of the chain, in its order. */
const logs = () => all.flatMap(({ receipt }) => receipt.logs as Json[]);

type Report = [source: string, fault: string, holds: () => Promise<void> | void];

const ofBlocks: Report[] = [
  [
    'hiero-json-rpc-relay 149',
    'the nonce of a block has an odd number of digits',
    () => {
      for (const { block } of blocks) expect(block.nonce).toMatch(/^0x[0-9a-f]{16}$/);
    },
  ],
  [
    'hiero-json-rpc-relay 179',
    'a block without transactions has not the root of an empty tree, or one with transactions has',
    () => {
      for (const { block } of blocks) {
        expect(block.transactionsRoot === emptyRoot).toBe(block.transactions.length === 0);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 256',
    'roots and mixHash are shorter than hashes, gas limit and timestamp are 0',
    () => {
      for (const { block } of blocks) {
        for (const member of ['stateRoot', 'receiptsRoot', 'transactionsRoot', 'mixHash', 'sha3Uncles']) {
          expect(block[member]).toMatch(hash);
        }
        expect(BigInt(block.gasLimit)).toBeGreaterThanOrEqual(BigInt(block.gasUsed));
        expect(BigInt(block.timestamp)).toBeGreaterThan(0n);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 1620',
    'withdrawals and their root are missing',
    async () => {
      const block = await rpc.ask('eth_getBlockByHash', blocks.at(-1)!.block.hash, false);
      expect(block).toMatchObject({ withdrawals: [], withdrawalsRoot: emptyRoot });
    },
  ],
  [
    'hiero-json-rpc-relay 1238',
    'a transaction of type 2 in a block has no maxPriorityFeePerGas',
    () => {
      const typed = all.filter(({ transaction }) => transaction.type === '0x2');
      expect(typed.length).toBeGreaterThan(0);
      for (const { transaction } of typed) {
        for (const member of ['maxFeePerGas', 'maxPriorityFeePerGas']) expect(transaction[member]).toMatch(quantity);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 3231',
    'a kept block answers for the hash of another',
    async () => {
      for (const { block } of [...blocks, ...blocks].slice(-30)) {
        expect((await rpc.ask('eth_getBlockByHash', block.hash, false)).number).toBe(block.number);
      }
      expect(await rpc.ask('eth_getBlockByHash', `0x${'ab'.repeat(32)}`, false)).toBeNull();
    },
  ],
  [
    'hiero-consensus-node 25961',
    'a transaction stands in two blocks, or its receipt names another block',
    async () => {
      const seen = new Set<string>();
      for (const { transaction } of all) {
        expect(seen.has(transaction.hash)).toBe(false);
        seen.add(transaction.hash);
        const receipt = await rpc.ask('eth_getTransactionReceipt', transaction.hash);
        expect(receipt.blockHash).toBe(transaction.blockHash);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 3416',
    'a block cannot be read because of a number below zero in it',
    () => {
      const numbers = blocks.flatMap(({ block }) =>
        [block, ...block.transactions].flatMap((one) => Object.values(one)),
      );
      for (const one of numbers) expect(`${one}`.startsWith('0x-')).toBe(false);
      expect(blocks).toHaveLength(Number(newest) + 1);
    },
  ],
];

const ofTransactions: Report[] = [
  [
    'hiero-json-rpc-relay 1654',
    'transactions of types 1 and 2 have neither accessList nor yParity',
    () => {
      const typed = all.filter(({ transaction }) => ['0x1', '0x2'].includes(transaction.type));
      expect(new Set(typed.map(({ transaction }) => transaction.type)).size).toBe(2);
      for (const { transaction } of typed) {
        expect(transaction).toMatchObject({
          accessList: expect.any(Array),
          yParity: expect.stringMatching(/^0x[01]$/),
        });
      }
    },
  ],
  [
    'hiero-json-rpc-relay 1800',
    'transactions with yParity have no v',
    () => {
      for (const { transaction } of all.filter((one) => one.transaction.yParity !== undefined)) {
        expect(BigInt(transaction.v)).toBe(BigInt(transaction.yParity));
      }
    },
  ],
  [
    'ethers-io/ethers.js 4985',
    'an authorization has 27 or 28 as yParity, and ethers throws',
    () => {
      const listed = all.flatMap(({ transaction }) => transaction.authorizationList ?? []);
      expect(listed.length).toBeGreaterThan(0);
      for (const { yParity } of listed) expect(yParity).toMatch(/^0x[01]$/);
    },
  ],
  [
    'hiero-json-rpc-relay 5689',
    'the value of a refused transaction is 0x-…',
    async () => {
      for (const { transaction } of all) {
        expect(transaction.value).toMatch(quantity);
        expect((await rpc.ask('eth_getTransactionByHash', transaction.hash)).value).toBe(transaction.value);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 634, NethermindEth/nethermind 8648',
    'an index in hex is not read, or one that is not there is an error',
    async () => {
      const { block } = blocks.find(({ block: { transactions } }) => transactions.length > 10)!;
      const places = [...block.transactions.keys()] as number[];
      for (const [method, name] of [['Hash', block.hash] as const, ['Number', block.number] as const]) {
        const ask = (index: number) => rpc.ask(`eth_getTransactionByBlock${method}AndIndex`, name, hex(BigInt(index)));
        expect(await Promise.all(places.map(ask))).toEqual(block.transactions);
        expect([await ask(places.length), await ask(100_000)]).toEqual([null, null]);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 4423',
    'receipts of a block lack its transfers of tokens',
    async () => {
      expect(synthetic().length).toBeGreaterThan(0);
      for (const { block, receipts } of blocks) {
        expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
          block.transactions.map((transaction: Json) => transaction.hash),
        );
      }
    },
  ],
  [
    'hiero-json-rpc-relay 5043',
    'the receipt of a transfer of tokens has the first of its logs alone',
    async () => {
      const listed = new Map<string, number>();
      for (let from = 0n; from <= newest; from += 5n) {
        const range = { fromBlock: hex(from), toBlock: hex(from + 4n < newest ? from + 4n : newest) };
        for (const { transactionHash } of await rpc.ask('eth_getLogs', range)) {
          listed.set(transactionHash, (listed.get(transactionHash) ?? 0) + 1);
        }
      }
      for (const { receipt } of all) {
        expect(receipt.logs).toHaveLength(listed.get(receipt.transactionHash) ?? 0);
      }
      expect(synthetic().some(({ receipt }) => receipt.logs.length > 1)).toBe(true);
    },
  ],
  [
    'hiero-json-rpc-relay 2664, hiero-mirror-node 12198',
    'blooms of receipts and of blocks do not have the logs of tokens',
    () => {
      const [{ receipt }] = synthetic() as [Told];
      expect(BigInt(receipt.logsBloom)).toBeGreaterThan(0n);
      for (const { block, receipts } of blocks) {
        const joined = receipts.reduce((bits, one) => bits | BigInt(one.logsBloom), 0n);
        expect(BigInt(block.logsBloom) & joined).toBe(joined);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 4921',
    'cumulativeGasUsed is the gas of the whole block in every receipt',
    () => {
      expect(blocks.some(({ receipts }) => new Set(receipts.map((one) => one.cumulativeGasUsed)).size > 2)).toBe(true);
      for (const { receipts } of blocks) {
        let sum = 0n;
        for (const { cumulativeGasUsed, gasUsed } of receipts) {
          sum += BigInt(gasUsed);
          expect(BigInt(cumulativeGasUsed)).toBe(sum);
        }
      }
    },
  ],
  [
    'hiero-json-rpc-relay 1736',
    'effectiveGasPrice is 0x0 where no Ethereum transaction carried the call',
    () => {
      const plain = all.filter(({ transaction }) => transaction.r === '0x0');
      expect(plain.length).toBeGreaterThan(0);
      for (const { receipt } of plain) expect(BigInt(receipt.effectiveGasPrice)).toBeGreaterThan(0n);
    },
  ],
  [
    'hiero-json-rpc-relay 1733, 3062 and 5712',
    'the receipt of a transaction that a block lists is an internal error, or null',
    async () => {
      for (const { transaction } of all) {
        const receipt = await rpc.ask('eth_getTransactionReceipt', transaction.hash);
        expect(receipt.transactionHash).toBe(transaction.hash);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 1912 and 1916',
    'the receipt of a success has a revertReason, or that of a revert none',
    () => {
      const reverted = all.filter(({ receipt }) => receipt.revertReason !== undefined);
      expect(reverted.some(({ receipt }) => receipt.revertReason.startsWith('0x08c379a0'))).toBe(true);
      for (const { receipt } of reverted) expect(receipt.status).toBe('0x0');
    },
  ],
];

const ofLogs: Report[] = [
  [
    'hiero-json-rpc-relay 369',
    'a search by the hash of a block finds logs of other blocks',
    async () => {
      const { blockHash } = logs()[0];
      const found: Json[] = await rpc.ask('eth_getLogs', { blockHash });
      expect(found.length).toBeGreaterThan(0);
      expect([...new Set(found.map((log) => log.blockHash))]).toEqual([blockHash]);
    },
  ],
  [
    'hiero-json-rpc-relay 494 and 472',
    'nothing is found with tags and topics beside the address',
    async () => {
      const expected = logs().filter(({ address, topics }) => address === at.counter && topics[0] === increments());
      expect(expected.length).toBeGreaterThan(0);
      const search = { address: at.counter, topics: [increments()] };
      expect(await rpc.ask('eth_getLogs', { ...search, fromBlock: 'earliest', toBlock: 'latest' })).toEqual(expected);
      expect(await rpc.ask('eth_getLogs', { ...search, fromBlock: '0x0', toBlock: hex(newest) })).toEqual(expected);
    },
  ],
  [
    'hiero-json-rpc-relay 576',
    'topics without a range are an error, or find nothing where there is something',
    async () => {
      const found: Json[] = await rpc.ask('eth_getLogs', { topics: [[increments()]] });
      expect(found).toEqual(
        logs().filter(({ blockNumber, topics }) => blockNumber === hex(newest) && topics[0] === increments()),
      );
    },
  ],
  [
    'hiero-json-rpc-relay 303',
    'logIndex begins again in each transaction of a block',
    () => {
      for (const { receipts } of blocks) {
        const places = receipts.flatMap((receipt) => receipt.logs.map((log: Json) => Number(log.logIndex)));
        expect(new Set(places).size).toBe(places.length);
        expect(places).toEqual([...places].sort((a, b) => a - b));
      }
    },
  ],
  [
    'filecoin-project/ref-fvm 1285',
    'a log is found in its own block, and not in a range around it',
    async () => {
      const log = logs().find(({ blockNumber }) => BigInt(blockNumber) > 1n && BigInt(blockNumber) < newest);
      const number = BigInt(log.blockNumber);
      for (const [from, to] of [[number, number] as const, [number - 1n, number + 1n] as const]) {
        const found = await rpc.ask('eth_getLogs', { fromBlock: hex(from), toBlock: hex(to), address: log.address });
        expect(found).toContainEqual(log);
      }
    },
  ],
  [
    'aurora-is-near/aurora-relayer 289',
    'an empty list as a topic is an internal error',
    async () => {
      const log = logs().find(({ topics }) => topics.length > 1);
      const topics = [[], [log.topics[1]]];
      const found = await rpc.ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', topics });
      expect(found).toContainEqual(log);
      for (const one of found) expect(one.topics[1]).toBe(log.topics[1]);
    },
  ],
  [
    'hiero-json-rpc-relay 2548',
    'a filter for more than one address is refused',
    async () => {
      const id = await rpc.ask('eth_newFilter', { fromBlock: '0x0', address: [at.counter, at.coin] });
      const found: Json[] = await rpc.ask('eth_getFilterLogs', id);
      expect(found).toEqual(logs().filter(({ address }) => [at.counter, at.coin].includes(address)));
      expect(new Set(found.map(({ address }) => address)).size).toBe(2);
    },
  ],
  [
    'hiero-json-rpc-relay 2646 and 3030',
    'a filter that was made is not found again, or finds what was there before it',
    async () => {
      expect(logs().some((log) => log.blockNumber === hex(newest) && log.topics[0] === increments())).toBe(true);
      for (const id of [
        await rpc.ask('eth_newFilter', { topics: [increments()] }),
        await rpc.ask('eth_newBlockFilter'),
      ]) {
        expect(await rpc.ask('eth_getFilterChanges', id)).toEqual([]);
        expect(await rpc.ask('eth_uninstallFilter', id)).toBe(true);
        expect(await codeOf('eth_getFilterChanges', id)).toBe(-32001);
      }
    },
  ],
];

const ofState: Report[] = [
  [
    'hiero-json-rpc-relay 1614',
    'a balance cannot be asked by the hash of a block',
    async () => {
      const { hash: name, number } = blocks.at(-3)!.block;
      const balance = await rpc.ask('eth_getBalance', at.account, number);
      expect(await rpc.ask('eth_getBalance', at.account, name)).toBe(balance);
      expect(await rpc.ask('eth_getBalance', at.account, { blockHash: name })).toBe(balance);
    },
  ],
  [
    'hiero-json-rpc-relay 516 and 1513',
    'the nonce at the newest block is an error, or behind the transactions of it',
    async () => {
      const sent = all.filter(({ transaction }) => transaction.from === at.account && transaction.r !== '0x0');
      const last = sent.at(-1)!.transaction;
      const expected = hex(BigInt(last.nonce) + 1n);
      for (const tag of ['latest', 'pending', hex(newest)]) {
        expect(await rpc.ask('eth_getTransactionCount', at.account, tag)).toBe(expected);
      }
      expect(await rpc.ask('eth_getTransactionCount', at.account, last.blockNumber)).toBe(expected);
    },
  ],
  [
    'hiero-json-rpc-relay 1996',
    'a fork at a past block fails at the nonce of the zero address',
    async () => {
      for (const number of ['0x1', hex(newest - 2n)]) {
        expect(await rpc.ask('eth_getTransactionCount', zero, number)).toBe('0x0');
        expect(await rpc.ask('eth_getBalance', zero, number)).toBe('0x0');
        expect(await rpc.ask('eth_getCode', zero, number)).toBe('0x');
      }
    },
  ],
  [
    'hiero-json-rpc-relay 2119',
    'a call at a past block answers what is so now',
    async () => {
      const call = { to: at.counter, data: `0x${selector('count()')}` };
      const events = logs().filter(({ address, topics }) => address === at.counter && topics[0] === increments());
      const counts = new Set<string>();
      for (const { blockNumber } of events) {
        const last = events.filter((log) => log.blockNumber === blockNumber).at(-1);
        expect(await rpc.ask('eth_call', call, blockNumber)).toBe(last.data);
        counts.add(last.data);
      }
      expect(counts.size).toBeGreaterThan(1);
      const byNumber = all.find(({ receipt }) => BigInt(receipt.contractAddress ?? 1n << 64n) < 1n << 64n)!.receipt;
      for (const to of [at.counter, byNumber.contractAddress]) {
        expect(await rpc.ask('eth_call', { ...call, to }, '0x0')).toBe('0x');
      }
    },
  ],
  [
    'hiero-json-rpc-relay 732 and 806',
    'a fork fails at the storage of what is no contract, or at a slot beyond 2^63',
    async () => {
      const far = hex(0x6661696c6564n << 200n);
      for (const of of [at.account, zero, `0x${'7'.repeat(40)}`, at.token, at.counter]) {
        for (const slot of [far, `0x${word(far)}`]) {
          expect(await rpc.ask('eth_getStorageAt', of, slot, 'latest')).toBe(`0x${word(0n)}`);
        }
      }
    },
  ],
  [
    'hiero-json-rpc-relay 495 and 703',
    'the value of a slot is always zero, or lost in blocks that did not change it',
    async () => {
      const values = new Set<string>();
      const data = `0x${selector('count()')}`;
      for (const { block } of blocks.slice(-12)) {
        const count = await rpc.ask('eth_call', { to: at.counter, data }, block.number);
        for (const slot of ['0x0', `0x${word(0n)}`]) {
          const value = await rpc.ask('eth_getStorageAt', at.counter, slot, block.number);
          expect(BigInt(value)).toBe(count === '0x' ? 0n : BigInt(count));
          values.add(value);
        }
      }
      expect(values.size).toBeGreaterThan(1);
    },
  ],
  [
    'hiero-json-rpc-relay 594 and 3155',
    'a token has no code, or has it before it was created',
    async () => {
      const code = await rpc.ask('eth_getCode', at.token, 'latest');
      expect(code).toBe(`0xef0100${word(0x167n).slice(24)}`);
      const [made] = await db.query<{ id: bigint; block: bigint }>({
        name: 'a token that was created late, and the block before it',
        text: `select id, (select max(index) from record_file where consensus_end < created_timestamp) as block
          from entity where type = 'TOKEN' order by created_timestamp desc limit 1`,
      });
      expect(made!.block).toBeGreaterThan(0n);
      const token = `0x${word(made!.id).slice(24)}`;
      expect(await rpc.ask('eth_getCode', token, hex(made!.block + 1n))).toBe(code);
      expect(await rpc.ask('eth_getCode', token, hex(made!.block))).toBe('0x');
      const created = all.find(({ receipt }) => receipt.contractAddress === at.counter)!.receipt;
      expect(await rpc.ask('eth_getCode', at.counter, hex(BigInt(created.blockNumber) - 1n))).toBe('0x');
    },
  ],
  [
    'hiero-json-rpc-relay 628',
    'the system contract of tokens has no code, and tools refuse to call it',
    async () => {
      expect(await rpc.ask('eth_getCode', `0x${word(0x167n).slice(24)}`, 'latest')).toBe('0xfe');
    },
  ],
  [
    'hiero-json-rpc-relay 813',
    'the history of fees up to the newest block is beyond the newest block',
    async () => {
      const fees = await rpc.ask('eth_feeHistory', '0x4', 'latest', [50]);
      expect(fees).toMatchObject({ oldestBlock: hex(newest - 3n), reward: [['0x0'], ['0x0'], ['0x0'], ['0x0']] });
      expect(fees.baseFeePerGas).toHaveLength(5);
    },
  ],
  [
    'MetaMask/metamask-extension 13874',
    'a number of a block below zero is an internal error',
    async () => {
      expect(await codeOf('eth_feeHistory', '0x400', '0x-49fc', [])).toBe(-32602);
      expect(await codeOf('eth_getBlockByNumber', '0x-1', false)).toBe(-32602);
    },
  ],
];

const ofCalls: Report[] = [
  [
    'hiero-json-rpc-relay 492, 2457 and 4862',
    'a revert is an internal error, or has another code than 3, or no data',
    async () => {
      const data = `0x${selector('withReason(string)')}${textData('Set to revert')}`;
      const reason = `0x08c379a0${textData('Set to revert')}`;
      for (const [method, ...more] of [['eth_call', 'latest'], ['eth_estimateGas']] as const) {
        const { error } = await post(method, { to: at.reverter, data }, ...more);
        expect(error).toMatchObject({ code: 3, data: reason, message: 'execution reverted: Set to revert' });
      }
    },
  ],
  [
    'erigontech/erigon 17132',
    'a revert without data has another code than one with data',
    async () => {
      const data = `0x${selector('withNothing()')}`;
      expect((await post('eth_call', { to: at.reverter, data }, 'latest')).error).toMatchObject({
        code: 3,
        data: '0x',
      });
    },
  ],
  [
    'hiero-json-rpc-relay 2532',
    'data with an odd number of digits is called a revert, and stands whole in the error',
    async () => {
      const { error } = await post('eth_call', { to: at.counter, data: `0x${'1'.repeat(20_001)}` }, 'latest');
      expect(error.code).toBe(-32602);
      expect(error.message.length).toBeLessThan(500);
    },
  ],
  [
    'hiero-json-rpc-relay 2827',
    'a transaction as it was answered cannot be handed to eth_call',
    async () => {
      const { transaction } = all.find(
        ({ transaction: { to, input }, receipt }) =>
          to === at.counter && input === `0x${selector('increment()')}` && receipt.status === '0x1',
      )!;
      expect(BigInt(await rpc.ask('eth_call', transaction, 'latest'))).toBeGreaterThan(0n);
    },
  ],
  [
    'hiero-json-rpc-relay 1935',
    'an estimate with 0x as its data, as MetaMask sends it, fails',
    async () => {
      const call = { from: at.account, to: at.account, value: '0x2540be400' };
      const plain = await rpc.ask('eth_estimateGas', call);
      expect(BigInt(plain)).toBeGreaterThanOrEqual(21_000n);
      expect(await rpc.ask('eth_estimateGas', { ...call, data: '0x' })).toBe(plain);
    },
  ],
  [
    'hiero-json-rpc-relay 1738',
    'an estimate with a gas price, a value of 0 and a limit is not read',
    async () => {
      const call = { from: at.account, to: at.counter, data: `0x${selector('increment()')}` };
      const gas = await rpc.ask('eth_estimateGas', { ...call, value: '0x0', gasPrice: '0x0', gas: '0xd97010' });
      expect(BigInt(await rpc.ask('eth_call', { ...call, gas }, 'latest'))).toBeGreaterThan(0n);
      const other = await rpc.ask('eth_estimateGas', call);
      expect(Math.abs(Number(gas) / Number(other) - 1)).toBeLessThan(0.02);
    },
  ],
  [
    'hiero-json-rpc-relay 1155',
    'an estimate takes a receiver and a value that are none',
    async () => {
      expect(await codeOf('eth_estimateGas', { to: '0xabc', data: '0x' })).toBe(-32012);
      expect(await codeOf('eth_estimateGas', { to: at.counter, value: '12 ether' })).toBe(-32602);
    },
  ],
  [
    'hiero-json-rpc-relay 1966 and 2389',
    'an estimate of what fails, or of a large creation, is a number that is always the same',
    async () => {
      expect(await codeOf('eth_estimateGas', { to: at.reverter, data: `0x${selector('withNothing()')}` })).toBe(3);
      const small = await rpc.ask('eth_estimateGas', { data: '0x602a60005360016000f3' });
      // 8,000 bytes of code: RETURN of as many zeros.
      const large = await rpc.ask('eth_estimateGas', { data: '0x611f406000f3' });
      expect(BigInt(large) - BigInt(small)).toBeGreaterThan(7_000n * 200n);
    },
  ],
  [
    'hiero-mirror-node 6498',
    'a contract cannot be called by the address of its number',
    async () => {
      const bytes = Buffer.from(at.counter.slice(2), 'hex');
      const text = 'select id from entity where evm_address = $1';
      const [row] = await db.query<{ id: bigint }>({ name: 'number of a contract', text, values: [bytes] });
      const data = `0x${selector('count()')}`;
      const byNumber = await rpc.ask('eth_call', { to: `0x${word(row!.id).slice(24)}`, data }, 'latest');
      expect(byNumber).toBe(await rpc.ask('eth_call', { to: at.counter, data }, 'latest'));
    },
  ],
  [
    'hiero-mirror-node 7318 and 7564',
    'a question for the interfaces of a token is an internal error',
    async () => {
      const body = await post('eth_call', { to: at.token, data: `0x01ffc9a7${'80ac58cd'.padEnd(64, '0')}` }, 'latest');
      expect([3, undefined]).toContain(body.error?.code);
    },
  ],
  [
    'hiero-mirror-node 7811',
    'a call of the system contract of tokens without data is an internal error',
    async () => {
      const { error } = await post('eth_call', { to: `0x${word(0x167n).slice(24)}` }, 'latest');
      expect(error?.code).not.toBe(-32603);
      expect(await codeOf('eth_call', { to: `0x${word(0x167n).slice(24)}`, data: '0x313ce567' }, 'latest')).not.toBe(
        -32603,
      );
    },
  ],
  [
    'hiero-mirror-node 12156',
    'a call of a token without a value fails in another way than with the value 0',
    async () => {
      const data = `0x${selector('transfer(address,uint256)')}${word(at.account)}${word(1n)}`;
      const call = { from: at.account, to: at.token, data };
      const answers = [await post('eth_estimateGas', call), await post('eth_estimateGas', { ...call, value: '0x0' })];
      expect(answers[0]).toEqual(answers[1]);
    },
  ],
  [
    'hiero-mirror-node 7572',
    'answers of two calls at once are mixed up',
    async () => {
      const calls = [
        [at.coin, 'decimals()', word(6n)],
        [at.counter, 'count()', ''],
      ] as const;
      const count = await rpc.ask('eth_call', { to: at.counter, data: `0x${selector('count()')}` }, 'latest');
      const asked = Array.from({ length: 40 }, (_, place) => calls[place % 2]!);
      const answers = await Promise.all(
        asked.map(([to, signature]) => rpc.ask('eth_call', { to, data: `0x${selector(signature)}` }, 'latest')),
      );
      expect(answers).toEqual(asked.map(([, , expected]) => (expected === '' ? count : `0x${expected}`)));
    },
  ],
  [
    'hiero-json-rpc-relay 1114',
    'a call with much data fails',
    async () => {
      const data = `0x${selector('count()')}${'00'.repeat(100_000)}`;
      expect(BigInt(await rpc.ask('eth_call', { to: at.counter, data }, 'latest'))).toBeGreaterThanOrEqual(0n);
    },
  ],
];

const ofEnvelopes: Report[] = [
  [
    'hiero-json-rpc-relay 1820 and 476',
    'a batch, which ethers sends, is an invalid request',
    async () => {
      const ask = (id: number, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id, method, params });
      const { status, body } = await rpc.post([
        ...[
          ask(1, 'eth_chainId'),
          ask(2, 'eth_blockNumber'),
          ask(3, 'eth_chainId2'),
          ask(4, 'eth_getBlockByNumber', '0x1', false),
        ],
      ]);
      expect([status, body.map(({ id }: Json) => id)]).toEqual([200, [1, 2, 3, 4]]);
      expect([body[0].result, body[1].result, body[2].error.code, body[3].result.number]).toEqual([
        ...['0x12a', hex(newest), -32601, '0x1'],
      ]);
    },
  ],
  [
    'sei-protocol/sei-chain 3351',
    'a request whose id is an object is carried out',
    async () => {
      const { body } = await rpc.post([
        { jsonrpc: '2.0', id: {}, method: 'eth_chainId' },
        { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
      ]);
      expect(body).toMatchObject([
        { id: null, error: { code: -32600 } },
        { id: 1, result: '0x12a' },
      ]);
    },
  ],
  [
    'hiero-json-rpc-relay 651',
    'a parameter that is missing is taken for what is not found',
    async () => {
      expect(await codeOf('eth_getTransactionByBlockNumberAndIndex', '0x1')).toBe(-32602);
      expect(await codeOf('eth_getTransactionByHash')).toBe(-32602);
      expect(await codeOf('eth_getTransactionByHash', '0x12')).toBe(-32602);
      expect(await codeOf('eth_getBalance')).toBe(-32602);
    },
  ],
  [
    'erigontech/silkworm 1733',
    'a name of a block that is none is read as a number',
    async () => {
      for (const name of ['5x3', '0x', '0x05', 'newest', ''])
        expect(await codeOf('eth_getBlockReceipts', name)).toBe(-32602);
    },
  ],
  [
    'hiero-json-rpc-relay 385',
    'a raw transaction that is none is answered with 200 and no error of JSON-RPC',
    async () => {
      for (const raw of ['0x', '0x12', '0xf86c', 'nothing']) {
        const { status, body } = await rpc.post({
          jsonrpc: '2.0',
          id: 1,
          method: 'eth_sendRawTransaction',
          params: [raw],
        });
        expect([status, body.result, body.error.code < 0]).toEqual([400, undefined, true]);
      }
    },
  ],
  [
    'hiero-json-rpc-relay 5609',
    'errors have codes above zero, which no client knows',
    async () => {
      const codes = [
        await codeOf('eth_sendRawTransaction', '0x12'),
        await codeOf('eth_getFilterChanges', '0x1'),
        await codeOf('eth_nothing'),
        await codeOf('eth_getLogs', { fromBlock: '0x5', toBlock: '0x1' }),
        await codeOf('eth_call', { to: at.counter }, '0xffffff'),
        await codeOf('eth_call', { to: '0x1' }, 'latest'),
      ];
      for (const code of codes) expect(code).toBeLessThan(0);
    },
  ],
  [
    'hiero-json-rpc-relay 2126 and 3227',
    'a web socket does not take subscriptions of heads or logs',
    async () => {
      const socket = new WebSocket(served.socketUrl);
      await new Promise((done) => socket.addEventListener('open', done, { once: true }));
      for (const params of [['newHeads'], ['logs', { address: [at.counter, at.coin] }]]) {
        const heard = new Promise<Json>((done) => {
          socket.addEventListener('message', ({ data }) => done(JSON.parse(data)), { once: true });
        });
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'eth_subscribe', params }));
        expect(await heard).toMatchObject({ jsonrpc: '2.0', id: 5, result: expect.stringMatching(quantity) });
      }
      socket.close();
    },
  ],
  [
    'hiero-json-rpc-relay 3537',
    'a client gets an answer that is no JSON',
    async () => {
      for (const body of ['', '{', 'null', '[]', '"text"', '{"jsonrpc":"2.0"}']) {
        const answer = await fetch(served.rpcUrl, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        });
        const { jsonrpc, error } = (await answer.json()) as Json;
        expect([jsonrpc, error.code < 0]).toEqual(['2.0', true]);
      }
    },
  ],
];

it.each([ofBlocks, ofTransactions, ofLogs, ofState, ofCalls, ofEnvelopes].flat())(
  '%s: not that %s',
  async (_, __, holds) => {
    expect(await holds()).toBeUndefined();
  },
);
