// viem: reading over JSON-RPC, a multicall of a hundred, logs, and heads over a web socket that is cut.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertInOrder, countCalls, identify, readChainExamples, readLogsUntil } from './chain-examples.ts';
import { openCuttingProxy } from './cutting-proxy.ts';
import type { ClientCall, OutsideClient } from './outside-client.ts';
import { patienceMs } from './patience.ts';
import { readToolFacts } from './tool-facts.ts';
import { listActions } from './viem-actions.ts';

type Client = Record<string, (given?: object) => Promise<Found>>;
// biome-ignore lint/suspicious/noExplicitAny: what another package answers.
type Found = any;
type Viem = {
  createPublicClient(options: object): Client & { watchBlocks(options: object): () => void };
  http(url: string, options?: object): object;
  webSocket(url: string, options?: object): object;
  parseAbi(lines: string[]): object;
};

const heads = 24;
const cuts = 3;

export const viem: OutsideClient = {
  packageName: 'viem',
  version: '2.57.20',
  pointedBy: "its transports, http('<address of --rpc-port>') and webSocket('ws://…')",
  async listCalls(context): Promise<ClientCall[]> {
    const { createPublicClient, http, webSocket, parseAbi } = await context.load<Viem>('viem');
    const { block, hash, trace, log, account, token, contract } = await readChainExamples(context);
    const client = createPublicClient({ transport: http(context.rpcUrl, { batch: true }) });
    // A batch must not have traces, as with the relay: viem sends even one request as a batch then.
    const single = createPublicClient({ transport: http(context.rpcUrl) });
    const abi = parseAbi(['function symbol() view returns (string)', 'error Nothing()']);
    const call = { address: token.address, abi, functionName: 'symbol' };
    const checks: Record<string, () => Promise<void>> = {
      getChainId: async () => assert.equal(await client.getChainId!(), 298),
      getBlockNumber: async () => assert.ok((await client.getBlockNumber!()) >= block.number),
      async getBlock() {
        const found = await client.getBlock!({ blockNumber: block.number, includeTransactions: true });
        assert.deepEqual([found.hash, found.number], [block.hash, block.number]);
        assert.deepEqual(await client.getBlock!({ blockHash: block.hash, includeTransactions: true }), found);
      },
      async getTransaction() {
        const found = await client.getTransaction!({ hash });
        assert.equal(found.hash, hash);
        const { transactionIndex: index, blockNumber } = found;
        assert.deepEqual(await client.getTransaction!({ blockNumber, index }), found);
      },
      async getTransactionReceipt() {
        const found = await client.getTransactionReceipt!({ hash });
        assert.deepEqual([found.transactionHash, found.status], [hash, 'success']);
        assert.ok(found.logs.some(({ data }: Found) => data === log.data));
      },
      async getLogs() {
        const range = { address: log.address, fromBlock: 'earliest', toBlock: 'latest' };
        const found = await client.getLogs!(range);
        const same = found.filter((one: Found) => one.blockNumber === log.block && one.data === log.data);
        assert.deepEqual(same.map(({ topics }: Found) => topics)[0], log.topics);
      },
      async 'getLogs of all blocks'() {
        const newest = await client.getBlockNumber!();
        const found = await client.getLogs!({ fromBlock: 0n, toBlock: newest });
        const own = found.map((one: Found) =>
          identify(one.blockNumber, one.transactionHash, one.address, one.topics, one.data),
        );
        assert.ok(own.length > 0);
        assert.deepEqual(own.sort(), (await readLogsUntil(context.mirrorUrl, Number(newest))).sort());
      },
      async 'debug_traceTransaction, calls'() {
        const found = await single.request!({
          method: 'debug_traceTransaction',
          params: [hash, { tracer: 'callTracer' }],
        });
        assert.deepEqual([countCalls(found), found.to], [trace.calls, trace.to]);
      },
      async 'debug_traceTransaction, opcodes'() {
        const { failed, structLogs } = await single.request!({ method: 'debug_traceTransaction', params: [hash, {}] });
        assert.equal(failed, false);
        assert.ok(structLogs.length > 0);
      },
      async getBalance() {
        const found = await client.getBalance!({ address: account.address });
        // It changes with what the network does meanwhile.
        assert.ok(found > account.weibar / 2n && found < account.weibar * 2n, `${found}`);
      },
      getCode: async () => assert.equal(await client.getCode!({ address: contract.address }), contract.code),
      readContract: async () => assert.equal(await client.readContract!(call), token.symbol),
      async multicall() {
        const contracts = Array.from({ length: 100 }, () => call);
        const found = await client.multicall!({ contracts, deployless: true, batchSize: 0 });
        assert.deepEqual(new Set(found.map(({ result }: Found) => result)), new Set([token.symbol]));
        assert.equal(found.length, 100);
      },
      async 'readContract of a hundred, in a batch'() {
        const found = await Promise.all(Array.from({ length: 100 }, () => client.readContract!(call)));
        assert.deepEqual(found, Array(100).fill(token.symbol));
      },
      async 'call with a state override'() {
        const { data } = await client.call!({
          to: account.address,
          // NUMBER, MSTORE, RETURN a word.
          stateOverride: [{ address: account.address, code: '0x435f5260205ff3' }],
        });
        assert.ok(BigInt(data) >= block.number);
      },
      async estimateGas() {
        const found = await client.estimateGas!({ account: account.address, to: token.address, data: '0x95d89b41' });
        assert.ok(found > 21_000n && found < 1_000_000n, `${found}`);
      },
      async getFeeHistory() {
        const { baseFeePerGas } = await client.getFeeHistory!({ blockCount: 5, rewardPercentiles: [50] });
        assert.equal(baseFeePerGas.length, 6);
        assert.ok((await client.getGasPrice!()) > 0n);
      },
      async watchBlocks() {
        const proxy = await openCuttingProxy(context.rpcUrl);
        const transport = webSocket(proxy.url, { reconnect: { attempts: 100, delay: 50 } });
        const over = createPublicClient({ transport });
        const seen: bigint[] = [];
        const stop = over.watchBlocks({ onBlock: ({ number }: Found) => seen.push(number), onError: () => {} });
        try {
          for (let cut = 1; cut <= cuts + 1; cut++) {
            for (const until = Date.now() + patienceMs; seen.length < (heads / cuts) * cut; await sleep(50)) {
              assert.ok(Date.now() < until, `${seen.length} heads came, with ${cut - 1} cuts`);
            }
            if (cut <= cuts) proxy.cut();
          }
        } finally {
          stop();
          proxy.close();
        }
        assert.deepEqual(
          seen,
          [...new Set(seen)].sort((a, b) => (a < b ? -1 : 1)),
        );
        // What came while it was cut off is there by number.
        const all = await Promise.all(
          Array.from({ length: Number(seen.at(-1)! - seen[0]!) + 1 }, (_, at) =>
            client.getBlock!({ blockNumber: seen[0]! + BigInt(at) }),
          ),
        );
        assertInOrder(all.map(({ number }) => number));
        for (const [at, one] of all.entries()) if (at > 0) assert.equal(one.parentHash, all[at - 1].hash);
      },
    };
    const facts = await readToolFacts(context.mirrorUrl);
    const loaded = await context.load<Found>('viem');
    const actions = listActions({
      ...{ viem: { ...loaded, siwe: await context.load('viem/siwe') }, accounts: await context.load('viem/accounts') },
      client: createPublicClient({ transport: http(context.rpcUrl) }),
      socket: createPublicClient({ transport: webSocket(context.rpcUrl.replace('http', 'ws')) }),
      facts,
    });
    // Its own list: none is left out.
    const every = Object.keys(loaded.publicActions(single)).map((name) => ({ name, run: () => actions[name]!() }));
    return [...Object.entries(checks).map(([name, run]) => ({ name, run })), ...every];
  },
};
