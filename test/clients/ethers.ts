// ethers 6: reading over JSON-RPC, which it does in batches, logs, receipts, and heads over web sockets that are cut.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertInOrder, countCalls, identify, readChainExamples, readLogsUntil } from './chain-examples.ts';
import { openCuttingProxy } from './cutting-proxy.ts';
import { listProviderMethods } from './ethers-methods.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';
import { patienceMs } from './patience.ts';
import { readToolFacts } from './tool-facts.ts';

// biome-ignore lint/suspicious/noExplicitAny: what another package answers.
type Found = any;
type Ethers = {
  JsonRpcProvider: new (url: string, network?: unknown, options?: object) => Found;
  WebSocketProvider: new (url: string) => Found;
  Contract: new (address: string, abi: string[], provider: Found) => Found;
};

const heads = 8;
const cuts = 3;

export const ethers: OutsideClient = {
  packageName: 'ethers',
  version: '6.17.0',
  pointedBy: "new JsonRpcProvider('<address of --rpc-port>') and new WebSocketProvider('ws://…')",
  async listCalls(context): Promise<ClientCall[]> {
    const { JsonRpcProvider, WebSocketProvider, Contract } = await context.load<Ethers>('ethers');
    const { block, hash, trace, log, account, token, contract } = await readChainExamples(context);
    const provider = new JsonRpcProvider(context.rpcUrl);
    const erc20 = new Contract(token.address, ['function symbol() view returns (string)'], provider);
    const checks: Record<string, () => Promise<void>> = {
      getNetwork: async () => assert.equal((await provider.getNetwork()).chainId, 298n),
      getBlockNumber: async () => assert.ok(BigInt(await provider.getBlockNumber()) >= block.number),
      async getBlock() {
        const found = await provider.getBlock(Number(block.number), true);
        assert.equal(found.hash, block.hash);
        assert.equal((await provider.getBlock(block.hash)).number, Number(block.number));
      },
      async getTransaction() {
        const found = await provider.getTransaction(hash);
        assert.equal(found.hash, hash);
        assert.equal((await found.confirmations()) > 0, true);
      },
      async getTransactionReceipt() {
        const found = await provider.getTransactionReceipt(hash);
        assert.deepEqual([found.hash, found.status], [hash, 1]);
        assert.ok(found.logs.some(({ data }: Found) => data === log.data));
        assert.equal((await provider.waitForTransaction(hash)).hash, hash);
      },
      async getLogs() {
        const found = await provider.getLogs({ address: log.address, fromBlock: 0, toBlock: 'latest' });
        const same = found.filter((one: Found) => one.blockNumber === Number(log.block) && one.data === log.data);
        assert.deepEqual(same[0].topics, log.topics);
      },
      async 'getLogs of all blocks'() {
        const newest = await provider.getBlockNumber();
        const found = await provider.getLogs({ fromBlock: 0, toBlock: newest });
        const own = found.map((one: Found) =>
          identify(one.blockNumber, one.transactionHash, one.address, one.topics, one.data),
        );
        assert.ok(own.length > 0);
        assert.deepEqual(own.sort(), (await readLogsUntil(context.mirrorUrl, Number(newest))).sort());
      },
      async 'debug_traceTransaction, calls'() {
        const found = await provider.send('debug_traceTransaction', [hash, { tracer: 'callTracer' }]);
        assert.deepEqual([countCalls(found), found.to], [trace.calls, trace.to]);
      },
      async 'debug_traceTransaction, opcodes'() {
        const { failed, structLogs } = await provider.send('debug_traceTransaction', [hash, {}]);
        assert.equal(failed, false);
        assert.ok(structLogs.length > 0);
      },
      async getBalance() {
        const found = await provider.getBalance(account.address);
        assert.ok(found > account.weibar / 2n && found < account.weibar * 2n, `${found}`);
      },
      getCode: async () => assert.equal(await provider.getCode(contract.address), contract.code),
      getStorage: async () => assert.match(await provider.getStorage(contract.address, 0), /^0x[0-9a-f]{64}$/),
      getTransactionCount: async () => assert.ok((await provider.getTransactionCount(account.address)) >= 0),
      'a contract': async () => assert.equal(await erc20.symbol(), token.symbol),
      async 'a contract at a block'() {
        const now = await provider.getBlockNumber();
        assert.equal(await erc20.symbol({ blockTag: now }), token.symbol);
      },
      async 'a contract, a hundred times in one batch'() {
        const found = await Promise.all(Array.from({ length: 100 }, () => erc20.symbol()));
        assert.deepEqual(found, Array(100).fill(token.symbol));
      },
      async 'a call that reverts'() {
        const nothing = new Contract(token.address, ['function ownerOf(uint256) view returns (address)'], provider);
        await assert.rejects(nothing.ownerOf(1), { code: 'CALL_EXCEPTION' });
      },
      async estimateGas() {
        const found = await provider.estimateGas({ from: account.address, to: token.address, data: '0x95d89b41' });
        assert.ok(found > 21_000n && found < 1_000_000n, `${found}`);
      },
      getFeeData: async () => assert.ok((await provider.getFeeData()).gasPrice > 0n),
      async 'heads over web sockets'() {
        const proxy = await openCuttingProxy(context.rpcUrl);
        const all: bigint[] = [];
        try {
          for (let cut = 0; cut <= cuts; cut++) {
            const over = new WebSocketProvider(proxy.url);
            over.websocket.onerror = () => {};
            const seen: bigint[] = [];
            await over.on('block', (number: number) => seen.push(BigInt(number)));
            for (const until = Date.now() + patienceMs; seen.length < heads; await sleep(50)) {
              assert.ok(Date.now() < until, `${seen.length} heads came, with ${cut} cuts`);
            }
            // What came while it was cut off it fetches by number.
            for (let next = all.at(-1); next !== undefined && ++next < seen[0]!; ) {
              all.push(BigInt((await provider.getBlock(next)).number));
            }
            all.push(...seen);
            proxy.cut();
          }
        } finally {
          proxy.close();
        }
        assertInOrder(all);
      },
    };
    const facts = await readToolFacts(context.mirrorUrl);
    const methods = listProviderMethods({ provider, ethers: await context.load('ethers'), facts });
    return [...Object.entries(checks), ...Object.entries(methods)].map(([name, run]) => ({ name, run }));
  },
};
