// @wagmi/core: every action that asks the chain, each compared with REST.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDirectly } from './example-contracts.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';
import { patienceMs } from './patience.ts';
import { coinAbi, counterAbi, outsideKey } from './solidity-interfaces.ts';
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

type Parts = { wagmi: Found; viem: Found; accounts: Found; config: Found; facts: ToolFacts };

export const wagmi: OutsideClient = {
  packageName: '@wagmi/core',
  version: '3.6.5',
  beside: ['viem@2.57.20'],
  pointedBy: "transports: { [chain.id]: http('<address of --rpc-port>') }",
  async listCalls(context): Promise<ClientCall[]> {
    const { rpcUrl, mirrorUrl, load } = context;
    const [core, viem, accounts] = [
      await load<Found>('@wagmi/core'),
      await load<Found>('viem'),
      await load<Found>('viem/accounts'),
    ];
    const chain = viem.defineChain({
      ...{ id: 298, name: 'mirror', rpcUrls: { default: { http: [rpcUrl] } } },
      nativeCurrency: { name: 'HBAR', symbol: 'HBAR', decimals: 18 },
    });
    const config = core.createConfig({ chains: [chain], transports: { 298: core.http(rpcUrl) }, pollingInterval: 200 });
    const checks = listWagmiChecks({ wagmi: core, viem, accounts, config, facts: await readToolFacts(mirrorUrl) });
    return Object.entries(checks).map(([name, run]) => ({ name, run }));
  },
};

/** By the names of the actions. */
function listWagmiChecks(parts: Parts): Checks {
  return joinChecks(parts, [ofChain, ofState, ofContracts, ofPrices, ofSignatures, ofWatching]);
}

function ofChain({ wagmi: of, config, facts }: Parts): Checks {
  const { block, call, signed } = facts;
  const hash = call.hash.slice(0, 66);
  return {
    getBlockNumber: () => compareNow(facts.newest, () => of.getBlockNumber(config, { cacheTime: 0 })),
    async getBlock() {
      const found = await of.getBlock(config, { blockNumber: block.number });
      assert.deepEqual(
        [found.hash, found.parentHash, found.gasUsed, found.timestamp, found.transactions],
        [block.hash, block.parentHash, block.gasUsed, block.timestamp, block.hashes],
      );
    },
    async getBlockTransactionCount() {
      const { count } = (await (await fetch(`${facts.mirrorUrl}/api/v1/blocks/${block.number}`)).json()) as Found;
      assert.equal(await of.getBlockTransactionCount(config, { blockNumber: block.number }), count);
    },
    async getTransaction() {
      for (const one of [call, signed]) {
        const found = await of.getTransaction(config, { hash: one.hash.slice(0, 66) });
        assert.deepEqual(
          [found.from, found.input, found.gas],
          [one.sender, one.function_parameters, BigInt(one.gas_limit)],
        );
      }
    },
    async getTransactionReceipt() {
      const found = await of.getTransactionReceipt(config, { hash });
      assert.deepEqual([found.gasUsed, found.logs.map(sameLog)], [BigInt(call.gas_used), call.logs.map(sameLog)]);
    },
    async waitForTransactionReceipt() {
      assert.equal((await of.waitForTransactionReceipt(config, { hash })).status, 'success');
    },
    async getTransactionConfirmations() {
      const found = await of.getTransactionConfirmations(config, { hash });
      assert.ok(found > 0n && found <= (await facts.newest()) - BigInt(call.block_number) + 1n, `${found}`);
    },
  };
}

function ofState({ wagmi: of, config, facts }: Parts): Checks {
  const { account, counter } = facts;
  const slot = `0x${'0'.repeat(64)}`;
  return {
    getBalance: () =>
      compareNow(account.weibar, async () => (await of.getBalance(config, { address: account.address })).value),
    getTransactionCount: () =>
      compareNow(account.nonce, () => of.getTransactionCount(config, { address: account.address })),
    getBytecode: async () => assert.equal(await of.getBytecode(config, { address: counter.address }), counter.code),
    getStorageAt: () =>
      compareNow(counter.value, async () => BigInt(await of.getStorageAt(config, { address: counter.address, slot }))),
    getProof: () =>
      assert.rejects(of.getProof(config, { address: counter.address, storageKeys: [slot] }), /Merkle Patricia trie/),
  };
}

function ofContracts({ wagmi: of, viem, accounts, config, facts }: Parts): Checks {
  const { account, counter, coin } = facts;
  const abi = viem.parseAbi(counterAbi);
  const counts = { address: counter.address, abi, functionName: 'count' };
  const supply = { address: coin.address, abi: viem.parseAbi(coinAbi), functionName: 'totalSupply' };
  const asked = { account: account.address, to: counter.address, data: ofCounter.increment };
  return {
    call: () =>
      compareNow(counter.value, async () =>
        BigInt((await of.call(config, { to: counter.address, data: ofCounter.count })).data),
      ),
    readContract: () => compareNow(counter.value, () => of.readContract(config, counts)),
    readContracts: () =>
      compareNow(coin.supply, async () => (await of.readContracts(config, { contracts: [counts, supply] }))[1].result),
    multicall: () =>
      compareNow(counter.value, async () => {
        const found = await of.multicall(config, { contracts: [counts, supply], deployless: true });
        return found[0].result;
      }),
    simulateContract: () =>
      compareNow(
        async () => (await counter.value()) + 1n,
        async () => {
          const call = { ...counts, functionName: 'increment', account: account.address };
          return (await of.simulateContract(config, call)).result;
        },
      ),
    async getContractEvents() {
      const toBlock = await of.getBlockNumber(config, { cacheTime: 0 });
      const search = { address: counter.address, abi, eventName: 'Incremented', fromBlock: 0n, toBlock };
      const found = await of.getContractEvents(config, search);
      assert.deepEqual(
        found.map(({ blockNumber, transactionHash, data }: Found) => `${blockNumber} ${transactionHash} ${data}`),
        await readIncrements(facts, toBlock),
      );
    },
    async estimateGas() {
      const { result } = await askDirectly(facts.mirrorUrl, {
        from: asked.account,
        to: asked.to,
        data: asked.data,
        estimate: true,
      });
      assert.equal(await of.estimateGas(config, asked), BigInt(result!));
    },
    async prepareTransactionRequest() {
      // Without a wallet it wants one with keys.
      const unused = () => assert.fail('Nothing is signed');
      const signer = { address: account.address, signMessage: unused, signTransaction: unused, signTypedData: unused };
      const found = await of.prepareTransactionRequest(config, { ...asked, account: accounts.toAccount(signer) });
      assert.deepEqual([found.chainId, found.nonce, found.type], [298, await account.nonce(), 'eip1559']);
      assert.ok(found.gas > 21_000n && found.maxFeePerGas >= (await facts.gasPrice()));
    },
  };
}

function ofPrices({ wagmi: of, config, facts }: Parts): Checks {
  return {
    getGasPrice: () => compareNow(facts.gasPrice, () => of.getGasPrice(config)),
    getBlobBaseFee: async () => assert.equal(await of.getBlobBaseFee(config), 1n),
    estimateMaxPriorityFeePerGas: async () => assert.equal(await of.estimateMaxPriorityFeePerGas(config), 0n),
    estimateFeesPerGas: async () =>
      assert.ok((await of.estimateFeesPerGas(config)).maxFeePerGas >= (await facts.gasPrice())),
    async getFeeHistory() {
      const asked = { blockCount: 4, rewardPercentiles: [10, 50] };
      await compareFees(facts, async () => (await of.getFeeHistory(config, asked)).baseFeePerGas);
    },
  };
}

function ofSignatures({ wagmi: of, accounts, config, facts }: Parts): Checks {
  const signer = accounts.privateKeyToAccount(outsideKey);
  const { address } = signer;
  const message = 'a ledger';
  return {
    async verifyMessage() {
      const signature = await signer.signMessage({ message });
      assert.equal(await of.verifyMessage(config, { address, message, signature }), true);
      assert.equal(await of.verifyMessage(config, { address: facts.account.address, message, signature }), false);
    },
    async verifyTypedData() {
      const types = { Mail: [{ name: 'text', type: 'string' }] };
      const data = { domain: { name: 'Mirror', chainId: 298 }, types, primaryType: 'Mail', message: { text: message } };
      const signature = await signer.signTypedData(data);
      assert.equal(await of.verifyTypedData(config, { ...data, address, signature }), true);
    },
  };
}

function ofWatching({ wagmi: of, viem, config }: Parts): Checks {
  const watches = async (begin: (see: (one: bigint) => void, fail: (error: Error) => void) => () => void) => {
    const seen: bigint[] = [];
    const failures: Error[] = [];
    const stop = begin(
      (one) => seen.push(one),
      (error) => failures.push(error),
    );
    try {
      for (const until = Date.now() + patienceMs; seen.length < 3 && failures.length === 0; await sleep(100)) {
        assert.ok(Date.now() < until, `${seen.length} came`);
      }
    } finally {
      stop();
    }
    if (failures[0]) throw failures[0];
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => (a < b ? -1 : 1)),
    );
  };
  const abi = viem.parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)']);
  return {
    watchBlocks: () =>
      watches((see, onError) => of.watchBlocks(config, { onError, onBlock: ({ number }: Found) => see(number) })),
    watchBlockNumber: () => watches((see, onError) => of.watchBlockNumber(config, { onError, onBlockNumber: see })),
    watchContractEvent: () =>
      watches((see, onError) => {
        const onLogs = (logs: Found[]) => {
          for (const { blockNumber } of logs) see(blockNumber);
        };
        return of.watchContractEvent(config, { abi, eventName: 'Transfer', onError, onLogs });
      }),
    async watchPendingTransactions() {
      const failures: Error[] = [];
      const onTransactions = () => failures.push(new Error('One came'));
      const stop = of.watchPendingTransactions(config, {
        onError: (error: Error) => failures.push(error),
        onTransactions,
      });
      await sleep(1500);
      stop();
      if (failures[0]) throw failures[0];
    },
  };
}
