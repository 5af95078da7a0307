// web3.js 4: every method of `web3.eth`, of `web3.eth.net` and of its contracts, each compared with REST.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDirectly } from './example-contracts.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';
import { type Checks, type Found, joinChecks } from './tool-checks.ts';
import {
  compareFees,
  compareNow,
  ofCounter,
  readIncrements,
  readToolFacts,
  sameLog,
  type ToolFacts,
} from './tool-facts.ts';

type Parts = { eth: Found; socket: Found; facts: ToolFacts };

const outputs = [{ type: 'uint256', name: '' }];
const abi = [
  { type: 'function', name: 'count', inputs: [], outputs, stateMutability: 'view' },
  { type: 'function', name: 'increment', inputs: [], outputs, stateMutability: 'nonpayable' },
  { type: 'function', name: 'underflow', inputs: outputs, outputs, stateMutability: 'nonpayable' },
  {
    ...{ type: 'event', name: 'Incremented' },
    inputs: [
      { type: 'address', name: 'by', indexed: true },
      { type: 'uint256', name: 'count', indexed: false },
    ],
  },
];

export const web3: OutsideClient = {
  packageName: 'web3',
  version: '4.16.0',
  pointedBy: "new Web3('<address of --rpc-port>')",
  async listCalls(context): Promise<ClientCall[]> {
    const { Web3 } = await context.load<{ Web3: new (url: string) => Found }>('web3');
    const facts = await readToolFacts(context.mirrorUrl);
    const checks = listWeb3Checks({
      ...{ eth: new Web3(context.rpcUrl).eth, facts },
      socket: new Web3(context.rpcUrl.replace('http', 'ws')),
    });
    return Object.entries(checks).map(([name, run]) => ({ name, run }));
  },
};

function listWeb3Checks(parts: Parts): Checks {
  return joinChecks(parts, [ofNode, ofBlocks, ofState, ofCalls, ofLogs, ofKeys, ofSockets]);
}

function ofNode({ eth, facts }: Parts): Checks {
  return {
    getProtocolVersion: () => assert.rejects(eth.getProtocolVersion(), /none of Ethereum's protocols/),
    getCoinbase: () => assert.rejects(eth.getCoinbase(), /no account receives/),
    getWork: () => assert.rejects(eth.getWork(), /nothing is mined/),
    submitWork: async () =>
      assert.equal(await eth.submitWork('0x0000000000000001', `0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`), false),
    isSyncing: async () => assert.equal(await eth.isSyncing(), false),
    isMining: async () => assert.equal(await eth.isMining(), false),
    getHashrate: async () => assert.equal(await eth.getHashrate(), 0n),
    getHashRate: async () => assert.equal(await eth.getHashRate(), 0n),
    getAccounts: async () => assert.deepEqual(await eth.getAccounts(), []),
    // Only wallets have it.
    requestAccounts: () => assert.rejects(eth.requestAccounts(), /eth_requestAccounts not found/),
    getNodeInfo: async () => assert.match(await eth.getNodeInfo(), /^ledger-mirror\//),
    getChainId: async () => assert.equal(await eth.getChainId(), 298n),
    'net.getId': async () => assert.equal(await eth.net.getId(), 298n),
    'net.getPeerCount': async () => assert.equal(await eth.net.getPeerCount(), 0n),
    'net.isListening': async () => assert.equal(await eth.net.isListening(), true),
    getGasPrice: () => compareNow(facts.gasPrice, () => eth.getGasPrice()),
    getMaxPriorityFeePerGas: async () => assert.equal(await eth.getMaxPriorityFeePerGas(), 0n),
    async calculateFeeData() {
      await compareNow(facts.gasPrice, async () => {
        const found = await eth.calculateFeeData();
        assert.ok(found.maxFeePerGas >= found.gasPrice);
        return found.gasPrice;
      });
    },
    async getFeeHistory() {
      await compareFees(facts, async () => (await eth.getFeeHistory(4, 'latest', [10, 50])).baseFeePerGas);
    },
    getPendingTransactions: async () => assert.deepEqual(await eth.getPendingTransactions(), []),
  };
}

function ofBlocks({ eth, facts }: Parts): Checks {
  const { block, call, signed } = facts;
  const hash = call.hash.slice(0, 66);
  return {
    getBlockNumber: () => compareNow(facts.newest, () => eth.getBlockNumber()),
    async getBlock() {
      const found = await eth.getBlock(block.number, true);
      assert.deepEqual(
        [
          found.hash,
          found.parentHash,
          found.gasUsed,
          found.timestamp,
          found.transactions.map((one: Found) => one.hash),
        ],
        [block.hash, block.parentHash, block.gasUsed, block.timestamp, block.hashes],
      );
      assert.deepEqual((await eth.getBlock(block.hash)).transactions, block.hashes);
    },
    async getBlockTransactionCount() {
      const { count } = (await (await fetch(`${facts.mirrorUrl}/api/v1/blocks/${block.number}`)).json()) as Found;
      assert.equal(await eth.getBlockTransactionCount(block.hash), BigInt(count));
    },
    getBlockUncleCount: async () => assert.equal(await eth.getBlockUncleCount(block.number), 0n),
    getUncle: async () => assert.equal(await eth.getUncle(block.number, 0), null),
    async getTransaction() {
      for (const one of [call, signed]) {
        const found = await eth.getTransaction(one.hash);
        assert.deepEqual(
          [found.from.toLowerCase(), found.input, found.gas, found.blockNumber],
          [one.sender, one.function_parameters, BigInt(one.gas_limit), BigInt(one.block_number)],
        );
      }
    },
    async getTransactionFromBlock() {
      const found = await eth.getTransactionFromBlock(block.number, call.transaction_index);
      assert.equal(found.hash, hash);
    },
    async getTransactionReceipt() {
      const found = await eth.getTransactionReceipt(hash);
      assert.deepEqual(
        [found.status, found.gasUsed, found.from.toLowerCase(), found.logs.map(sameLog)],
        [1n, BigInt(call.gas_used), call.sender, call.logs.map(sameLog)],
      );
    },
  };
}

function ofState({ eth, facts }: Parts): Checks {
  const { account, counter } = facts;
  return {
    getBalance: () => compareNow(account.weibar, () => eth.getBalance(account.address)),
    getTransactionCount: () =>
      compareNow(account.nonce, async () => Number(await eth.getTransactionCount(account.address))),
    getCode: async () => assert.equal(await eth.getCode(counter.address), counter.code),
    getStorageAt: () => compareNow(counter.value, async () => BigInt(await eth.getStorageAt(counter.address, 0))),
    getProof: () =>
      assert.rejects(eth.getProof(counter.address, [`0x${'0'.repeat(64)}`], 'latest'), /Merkle Patricia trie/),
  };
}

function ofCalls({ eth, facts }: Parts): Checks {
  const { account, counter } = facts;
  const increments = { from: account.address, to: counter.address, data: ofCounter.increment };
  const { methods } = new eth.Contract(abi, counter.address);
  return {
    call: () =>
      compareNow(counter.value, async () => BigInt(await eth.call({ to: counter.address, data: ofCounter.count }))),
    async estimateGas() {
      const { result } = await askDirectly(facts.mirrorUrl, { ...increments, estimate: true });
      assert.equal(await eth.estimateGas(increments), BigInt(result!));
    },
    async createAccessList() {
      const found = await eth.createAccessList(increments);
      assert.equal(found.accessList[0].address, counter.address);
      assert.equal(found.accessList[0].storageKeys.length, 2);
    },
    'Contract, call': () => compareNow(counter.value, () => methods.count().call()),
    async 'Contract, call that reverts'() {
      const failed = (error: Found) => /underflow|revert/i.test(`${error.message} ${error.cause?.message}`);
      await assert.rejects(methods.underflow(1).call({ from: account.address }), failed);
    },
    async 'Contract, estimateGas'() {
      const found = await methods.increment().estimateGas({ from: account.address });
      assert.equal(found, await eth.estimateGas(increments));
    },
    async 'Contract, createAccessList'() {
      const found = await methods.increment().createAccessList({ from: account.address });
      assert.equal(found.accessList[0].storageKeys.length, 2);
    },
  };
}

function ofLogs({ eth, facts }: Parts): Checks {
  const { counter } = facts;
  const shown = ({ blockNumber, transactionHash, data }: Found) => `${blockNumber} ${transactionHash} ${data}`;
  const search = { address: counter.address, topics: [ofCounter.incremented], fromBlock: '0x0' };
  const contract = new eth.Contract(abi, counter.address);
  return {
    async getPastLogs() {
      const toBlock = await eth.getBlockNumber();
      const found = await eth.getPastLogs({ ...search, toBlock });
      assert.ok(found.length > 0);
      assert.deepEqual(found.map(shown), await readIncrements(facts, toBlock));
    },
    async 'Contract, getPastEvents'() {
      const toBlock = await eth.getBlockNumber();
      const found = await contract.getPastEvents('Incremented', { fromBlock: 0, toBlock });
      assert.deepEqual(
        found.map((one: Found) => shown({ ...one, data: one.raw.data })),
        await readIncrements(facts, toBlock),
      );
      assert.equal(typeof found[0].returnValues.count, 'bigint');
    },
    async 'createNewFilter, getFilterLogs, getFilterChanges, uninstallFilter'() {
      const id = await eth.createNewFilter(search);
      const toBlock = await eth.getBlockNumber();
      const found = (await eth.getFilterLogs(id)).filter(({ blockNumber }: Found) => blockNumber <= toBlock);
      assert.deepEqual(found.map(shown), await readIncrements(facts, toBlock));
      assert.ok((await eth.getFilterChanges(id)).length >= found.length);
      assert.equal(await eth.uninstallFilter(id), true);
    },
    async createNewBlockFilter() {
      const id = await eth.createNewBlockFilter();
      for (;;) {
        const [hash] = await eth.getFilterChanges(id);
        if (hash) {
          assert.equal((await eth.getBlock(hash)).hash, hash);
          break;
        }
        await sleep(100);
      }
    },
    async createNewPendingTransactionFilter() {
      assert.deepEqual(await eth.getFilterChanges(await eth.createNewPendingTransactionFilter()), []);
    },
  };
}

function ofKeys({ eth, facts }: Parts): Checks {
  const { account, counter } = facts;
  const sent = { from: account.address, to: counter.address, data: ofCounter.increment, gas: 100_000 };
  const noKeys = /this server has no keys/;
  const cause = (error: Found) => noKeys.test(`${error.message} ${error.cause?.message} ${error.innerError?.message}`);
  return {
    sendTransaction: () => assert.rejects(async () => eth.sendTransaction(sent), cause),
    sign: () => assert.rejects(eth.sign('0x1234', account.address), cause),
    signTransaction: () => assert.rejects(eth.signTransaction({ ...sent, gasPrice: 1, nonce: 0 }), cause),
    // Only wallets have it.
    signTypedData: () => assert.rejects(eth.signTypedData(account.address, {}), /eth_signTypedData_v4 not found/),
    async sendSignedTransaction() {
      const account1 = eth.accounts.create();
      const transaction = { ...sent, from: account1.address, gasPrice: 1, nonce: 0, chainId: 298 };
      const { rawTransaction } = await account1.signTransaction(transaction);
      const failed = (error: Found) =>
        /--relay-url/.test(`${error.message} ${error.cause?.message} ${error.innerError?.message}`);
      await assert.rejects(
        async () => eth.sendSignedTransaction(rawTransaction, undefined, { checkRevertBeforeSending: false }),
        failed,
      );
    },
  };
}

function ofSockets({ socket }: Parts): Checks {
  const first = async (what: string, options?: object): Promise<Found> => {
    const subscription = await socket.eth.subscribe(what, options);
    try {
      return await new Promise((done, fail) => {
        subscription.on('data', done);
        subscription.on('error', fail);
      });
    } finally {
      await subscription.unsubscribe();
    }
  };
  return {
    async 'subscribe newHeads'() {
      const { hash, number } = await first('newBlockHeaders');
      assert.equal((await socket.eth.getBlock(number)).hash, hash);
    },
    async 'subscribe logs'() {
      const { blockNumber, transactionHash } = await first('logs', {});
      assert.equal((await socket.eth.getTransactionReceipt(transactionHash)).blockNumber, blockNumber);
    },
    async 'subscribe pendingTransactions, syncing; clearSubscriptions'() {
      await socket.eth.subscribe('pendingTransactions');
      await socket.eth.subscribe('syncing');
      await socket.eth.clearSubscriptions();
      socket.currentProvider.disconnect();
    },
  };
}
