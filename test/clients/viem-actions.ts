// Every public action of viem with values of the ledger, each compared with REST. `listActions` gives them by their names
// in viem's own list, so that none is left out.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDirectly, callData } from './example-contracts.ts';
import { patienceMs } from './patience.ts';
import { coinAbi, counterAbi, outsideKey } from './solidity-interfaces.ts';
import { type Checks, type Found, joinChecks, waitUntil } from './tool-checks.ts';
import { compareFees, compareNow, ofCounter, readIncrements, sameLog, type ToolFacts } from './tool-facts.ts';

type Parts = {
  client: Found;
  /** Over web sockets. */
  socket: Found;
  /** Of `viem` and of `viem/accounts`. */
  viem: Found;
  accounts: Found;
  facts: ToolFacts;
};
export function listActions(parts: Parts): Checks {
  return joinChecks(parts, [ofBlocks, ofTransactions, ofState, ofLogs, ofCalls, ofPrices, ofSignatures, ofWatching]);
}

function ofBlocks({ client, facts }: Parts): Checks {
  const { block } = facts;
  return {
    async getBlock() {
      const found = await client.getBlock({ blockNumber: block.number });
      assert.deepEqual(
        [found.hash, found.parentHash, found.gasUsed, found.timestamp, found.transactions],
        [block.hash, block.parentHash, block.gasUsed, block.timestamp, block.hashes],
      );
      assert.deepEqual(await client.getBlock({ blockHash: block.hash }), found);
      assert.equal((await client.getBlock({ blockTag: 'earliest' })).number, 0n);
    },
    getBlockNumber: () => compareNow(facts.newest, () => client.getBlockNumber({ cacheTime: 0 })),
    async getBlockReceipts() {
      const found = await client.getBlockReceipts({ blockHash: block.hash });
      assert.deepEqual(
        found.map((one: Found) => one.transactionHash),
        block.hashes,
      );
    },
    async getBlockTransactionCount() {
      const found = await client.getBlockTransactionCount({ blockHash: block.hash });
      assert.equal(await client.getBlockTransactionCount({ blockNumber: block.number }), found);
      const { count } = (await (await fetch(`${facts.mirrorUrl}/api/v1/blocks/${block.number}`)).json()) as Found;
      assert.equal(found, count);
    },
    getChainId: async () => assert.equal(await client.getChainId(), 298),
  };
}

function ofTransactions({ client, viem, facts }: Parts): Checks {
  const { call, signed } = facts;
  const hash = call.hash.slice(0, 66);
  return {
    async getTransaction() {
      for (const one of [call, signed]) {
        const found = await client.getTransaction({ hash: one.hash });
        assert.deepEqual(
          [found.from, found.input, found.gas, found.blockNumber, found.transactionIndex],
          [
            ...[one.sender, one.function_parameters, BigInt(one.gas_limit), BigInt(one.block_number)],
            one.transaction_index,
          ],
        );
        const { blockHash, blockNumber, transactionIndex: index } = found;
        assert.deepEqual(await client.getTransaction({ blockHash, index }), found);
        assert.deepEqual(await client.getTransaction({ blockNumber, index }), found);
      }
      const { sender, nonce } = signed;
      assert.equal((await client.getTransaction({ sender, nonce })).hash, signed.hash);
    },
    async getRawTransaction() {
      const raw = await client.getRawTransaction({ hash: signed.hash });
      assert.equal(viem.keccak256(raw), signed.hash);
      const read = viem.parseTransaction(raw);
      assert.deepEqual([read.nonce, read.chainId], [signed.nonce, 298]);
    },
    async getTransactionReceipt() {
      const found = await client.getTransactionReceipt({ hash });
      assert.deepEqual(
        [found.status, found.gasUsed, found.from, found.logs.map(sameLog)],
        ['success', BigInt(call.gas_used), call.sender, call.logs.map(sameLog)],
      );
    },
    async waitForTransactionReceipt() {
      const found = await client.waitForTransactionReceipt({ hash });
      assert.deepEqual(found, await client.getTransactionReceipt({ hash }));
    },
    async getTransactionConfirmations() {
      const found = await client.getTransactionConfirmations({ hash });
      const newest = await facts.newest();
      assert.ok(found <= newest - BigInt(call.block_number) + 1n && found > 0n, `${found}`);
    },
    async sendRawTransaction() {
      const serializedTransaction = await client.getRawTransaction({ hash: signed.hash });
      await assert.rejects(client.sendRawTransaction({ serializedTransaction }), /--relay-url names/);
    },
    async sendRawTransactionSync() {
      const serializedTransaction = await client.getRawTransaction({ hash: signed.hash });
      await assert.rejects(client.sendRawTransactionSync({ serializedTransaction }), /--relay-url names/);
    },
  };
}

function ofState({ client, viem, facts }: Parts): Checks {
  const { account, counter, coin, block } = facts;
  const slot = `0x${'0'.repeat(64)}`;
  return {
    getBalance: () => compareNow(account.weibar, () => client.getBalance({ address: account.address })),
    getTransactionCount: () =>
      compareNow(account.nonce, () => client.getTransactionCount({ address: account.address })),
    async getCode() {
      assert.equal(await client.getCode({ address: counter.address }), counter.code);
      assert.equal(await client.getCode({ address: account.address }), undefined);
    },
    getBytecode: async () => assert.equal(await client.getBytecode({ address: counter.address }), counter.code),
    getDelegation: async () => assert.equal(await client.getDelegation({ address: counter.address }), undefined),
    async getStorageAt() {
      const { address } = counter;
      await compareNow(counter.value, async () => BigInt(await client.getStorageAt({ address, slot })));
    },
    async getStorageValues() {
      const requests = { [counter.address]: [slot, slot.replace(/0$/, '9')], [coin.address]: [slot] };
      await compareNow(counter.value, async () => {
        const found = await client.getStorageValues({ requests });
        assert.equal(BigInt(found[counter.address][1]), 0n);
        return BigInt(found[counter.address][0]);
      });
      await compareNow(coin.supply, async () => BigInt((await client.getStorageValues({ requests }))[coin.address][0]));
      const old = await client.getStorageValues({ requests, blockNumber: block.number });
      const one = { address: counter.address, slot, blockNumber: block.number };
      assert.equal(old[counter.address][0], await client.getStorageAt(one));
    },
    getProof: () =>
      assert.rejects(client.getProof({ address: counter.address, storageKeys: [slot] }), /Merkle Patricia trie/),
    async token() {
      const found = await client.token.getMetadata({ token: coin.address });
      assert.deepEqual([found.name, found.symbol, found.decimals], ['Mirror Coin', 'MRC', 6]);
      await compareNow(coin.supply, async () => (await client.token.getTotalSupply({ token: coin.address })).amount);
      const held = await client.token.getBalance({ token: coin.address, account: account.address });
      const balance = { to: coin.address, data: callData('balanceOf(address)', [BigInt(account.address)]) };
      assert.equal(held.amount, BigInt((await askDirectly(facts.mirrorUrl, balance)).result!));
    },
    getEip712Domain: () =>
      assert.rejects(client.getEip712Domain({ address: counter.address }), viem.Eip712DomainNotFoundError),
  };
}

function ofLogs({ client, viem, facts }: Parts): Checks {
  const { counter, block } = facts;
  const { address } = counter;
  const abi = viem.parseAbi(counterAbi);
  const event = viem.parseAbiItem(counterAbi.at(-1));
  const shown = (found: Found[]) =>
    found.map(({ blockNumber, transactionHash, data }) => `${blockNumber} ${transactionHash} ${data}`);
  const isRest = async (found: Found[], until: bigint) => {
    assert.ok(found.length > 0);
    assert.deepEqual(shown(found), await readIncrements(facts, until));
  };
  /** All logs of a filter from the first block on, and then what comes. */
  const isFilter = async (filter: Found) => {
    const until = await client.getBlockNumber({ cacheTime: 0 });
    const found = await client.getFilterLogs({ filter });
    await isRest(
      found.filter((one: Found) => one.blockNumber <= until),
      until,
    );
    assert.ok((await client.getFilterChanges({ filter })).length >= found.length);
    assert.equal(await client.uninstallFilter({ filter }), true);
    assert.equal(await client.uninstallFilter({ filter }), false);
  };
  const range = async () => ({ address, fromBlock: 0n, toBlock: await client.getBlockNumber({ cacheTime: 0 }) });
  return {
    async getLogs() {
      const asked = await range();
      await isRest(await client.getLogs({ ...asked, event }), asked.toBlock);
      const one = await client.getLogs({ address, event, blockHash: block.hash });
      assert.ok(one.length > 0 && one.every(({ blockHash }: Found) => blockHash === block.hash));
    },
    async iterateLogs() {
      const asked = await range();
      const found: Found[] = [];
      for await (const { logs } of client.iterateLogs({ ...asked, event, blockRange: 37n })) found.push(...logs);
      await isRest(found, asked.toBlock);
    },
    async getContractEvents() {
      const asked = await range();
      const found = await client.getContractEvents({ ...asked, abi, eventName: 'Incremented' });
      await isRest(found, asked.toBlock);
      assert.equal(typeof found[0].args.count, 'bigint');
    },
    createEventFilter: async () => isFilter(await client.createEventFilter({ address, event, fromBlock: 0n })),
    getFilterLogs: async () =>
      isFilter(await client.createContractEventFilter({ address, abi, eventName: 'Incremented', fromBlock: 0n })),
    createContractEventFilter: async () =>
      isFilter(await client.createContractEventFilter({ address, abi, eventName: 'Incremented', fromBlock: 0n })),
    async createBlockFilter() {
      const filter = await client.createBlockFilter();
      const seen: string[] = [];
      while (seen.length < 2) {
        seen.push(...(await client.getFilterChanges({ filter })));
        await sleep(100);
      }
      const { number } = await client.getBlock({ blockHash: seen[0] });
      assert.equal((await client.getBlock({ blockNumber: number + 1n })).hash, seen[1]);
      assert.equal(await client.uninstallFilter({ filter }), true);
    },
    getFilterChanges: async () => isFilter(await client.createEventFilter({ address, event, fromBlock: 0n })),
    uninstallFilter: async () => isFilter(await client.createEventFilter({ address, event, fromBlock: 0n })),
    async createPendingTransactionFilter() {
      const filter = await client.createPendingTransactionFilter();
      assert.deepEqual(await client.getFilterChanges({ filter }), []);
      assert.equal(await client.uninstallFilter({ filter }), true);
    },
  };
}

function ofCalls({ client, viem, facts }: Parts): Checks {
  const { counter, coin, account, block } = facts;
  const { address } = counter;
  const abi = viem.parseAbi(counterAbi);
  const coins = viem.parseAbi(coinAbi);
  const increments = { address, abi, functionName: 'increment', account: account.address };
  const counts = { address, abi, functionName: 'count' };
  const next = async () => (await counter.value()) + 1n;
  const slot = `0x${'0'.repeat(64)}`;
  return {
    async call() {
      await compareNow(counter.value, async () =>
        BigInt((await client.call({ to: address, data: ofCounter.count })).data),
      );
      const old = await client.call({ to: address, data: ofCounter.count, blockNumber: block.number });
      assert.equal(old.data, await client.getStorageAt({ address, slot, blockNumber: block.number }));
    },
    readContract: () => compareNow(counter.value, () => client.readContract(counts)),
    async multicall() {
      const supply = { address: coin.address, abi: coins, functionName: 'totalSupply' };
      const failing = { address, abi, functionName: 'underflow', args: [1n] };
      await compareNow(counter.value, async () => {
        const found = await client.multicall({ contracts: [counts, supply, failing], deployless: true });
        assert.deepEqual(
          found.map(({ status }: Found) => status),
          ['success', 'success', 'failure'],
        );
        return found[0].result;
      });
    },
    async simulateContract() {
      await compareNow(next, async () => (await client.simulateContract(increments)).result);
      const failing = { ...increments, functionName: 'underflow', args: [1n] };
      await assert.rejects(client.simulateContract(failing), /underflow or overflow/);
    },
    async simulate() {
      const blocks = [{ calls: [{ to: address, data: ofCounter.count }] }];
      await compareNow(counter.value, async () => BigInt((await client.simulate({ blocks }))[0].calls[0].data));
    },
    async simulateBlocks() {
      const calls = [{ ...increments, to: address, data: ofCounter.increment, account: account.address }];
      await compareNow(next, async () => {
        const [first, second] = await client.simulateBlocks({ blocks: [{ calls: [{ ...calls[0] }] }, { calls }] });
        assert.equal(second.calls[0].result, first.calls[0].result + 1n);
        assert.deepEqual(first.calls[0].logs[0].topics[0], ofCounter.incremented);
        assert.equal(second.number, first.number + 1n);
        return first.calls[0].result;
      });
    },
    async simulateCalls() {
      const [to, value] = [address, 10n ** 10n];
      const mint = { to: coin.address, abi: coins, functionName: 'mint', args: [account.address, 5n] };
      const calls = [{ to: account.address, value }, { to, data: ofCounter.increment }, mint];
      const found = await client.simulateCalls({ account: account.address, calls, traceAssetChanges: true });
      assert.deepEqual(
        found.results.map(({ status }: Found) => status),
        ['success', 'success', 'success'],
      );
      const ofCoin = found.assetChanges.find(({ token }: Found) => token.address === coin.address);
      assert.deepEqual([ofCoin.value.diff, ofCoin.token.symbol, ofCoin.token.decimals], [5n, 'MRC', 6]);
    },
    async estimateGas() {
      const asked = { from: account.address, to: address, data: ofCounter.increment, estimate: true };
      const { result } = await askDirectly(facts.mirrorUrl, asked);
      const found = await client.estimateGas({ account: account.address, to: address, data: ofCounter.increment });
      assert.equal(found, BigInt(result!));
    },
    async estimateContractGas() {
      const found = await client.estimateContractGas(increments);
      assert.equal(
        found,
        await client.estimateGas({ account: account.address, to: address, data: ofCounter.increment }),
      );
    },
    async createAccessList() {
      const found = await client.createAccessList({ account: account.address, to: address, data: ofCounter.increment });
      const [own] = found.accessList;
      // `count`, and the sender's entry of `callsOf`.
      const mapped = viem.keccak256(viem.concat([viem.pad(account.address), viem.toHex(2, { size: 32 })]));
      assert.equal(own.address, address);
      assert.ok(own.storageKeys.includes(slot) && own.storageKeys.length === 2, JSON.stringify([own, mapped]));
      assert.ok(found.gasUsed > 21_000n);
    },
  };
}

function ofPrices({ client, viem, facts }: Parts): Checks {
  const { account, counter } = facts;
  const request = { account: account.address, to: counter.address, data: ofCounter.increment };
  return {
    getGasPrice: () => compareNow(facts.gasPrice, () => client.getGasPrice()),
    getBlobBaseFee: async () => assert.equal(await client.getBlobBaseFee(), 1n),
    async getFeeHistory() {
      await compareFees(facts, async () => {
        const found = await client.getFeeHistory({ blockCount: 4, rewardPercentiles: [10, 50] });
        assert.deepEqual(found.reward, Array(4).fill([0n, 0n]));
        return found.baseFeePerGas;
      });
    },
    async estimateFeesPerGas() {
      const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
      assert.equal(maxPriorityFeePerGas, 0n);
      const gasPrice = await facts.gasPrice();
      assert.ok(maxFeePerGas >= gasPrice, `${maxFeePerGas}`);
      assert.ok((await client.estimateFeesPerGas({ type: 'legacy' })).gasPrice >= gasPrice);
    },
    estimateMaxPriorityFeePerGas: async () => assert.equal(await client.estimateMaxPriorityFeePerGas(), 0n),
    async fillTransaction() {
      const { raw, transaction } = await client.fillTransaction({
        account: account.address,
        to: account.address,
        value: 12_345n,
      });
      const read = viem.parseTransaction(raw);
      assert.deepEqual(
        [transaction.nonce, transaction.chainId, transaction.type, transaction.value],
        [await account.nonce(), 298, 'eip1559', 12_345n],
      );
      assert.deepEqual(
        [read.to, read.nonce, read.gas, read.value, read.chainId],
        [account.address, transaction.nonce, transaction.gas, 12_345n, 298],
      );
      assert.equal((await client.fillTransaction(request)).transaction.gas, await client.estimateGas(request));
      assert.ok(read.maxFeePerGas >= (await facts.gasPrice()));
    },
    async prepareTransactionRequest() {
      const found = await client.prepareTransactionRequest(request);
      assert.deepEqual([found.chainId, found.nonce, found.type], [298, await account.nonce(), 'eip1559']);
      assert.ok(found.gas > 21_000n && found.maxFeePerGas >= (await facts.gasPrice()));
    },
  };
}

function ofSignatures({ client, viem, accounts, facts }: Parts): Checks {
  const signer = accounts.privateKeyToAccount(outsideKey);
  const { address } = signer;
  const message = 'a ledger';
  /** No chain has names of its own. */
  const hasNoNames = (action: string) => () =>
    assert.rejects(
      client[action]({ name: 'a.eth', address, key: 'avatar' }),
      /does not support|universalResolver|chain/i,
    );
  const other = facts.account.address;
  return {
    async verifyHash() {
      const hash = viem.keccak256('0x1234');
      const signature = await signer.sign({ hash });
      assert.equal(await client.verifyHash({ address, hash, signature }), true);
      assert.equal(await client.verifyHash({ address: other, hash, signature }), false);
    },
    async verifyMessage() {
      const signature = await signer.signMessage({ message });
      assert.equal(await client.verifyMessage({ address, message, signature }), true);
      assert.equal(await client.verifyMessage({ address: other, message, signature }), false);
      // A contract that has no `isValidSignature`.
      assert.equal(await client.verifyMessage({ address: facts.counter.address, message, signature }), false);
    },
    async verifyTypedData() {
      const data = {
        domain: { name: 'Mirror', chainId: 298 },
        types: { Mail: [{ name: 'text', type: 'string' }] },
        primaryType: 'Mail',
        message: { text: message },
      };
      const signature = await signer.signTypedData(data);
      assert.equal(await client.verifyTypedData({ ...data, address, signature }), true);
      assert.equal(await client.verifyTypedData({ ...data, address: other, signature }), false);
    },
    async verifySiweMessage() {
      const { createSiweMessage } = viem.siwe;
      const asked = {
        address,
        chainId: 298,
        domain: 'example.com',
        nonce: 'foobarbaz',
        uri: 'https://example.com',
        version: '1',
      };
      const text = createSiweMessage(asked);
      const signature = await signer.signMessage({ message: text });
      assert.equal(await client.verifySiweMessage({ message: text, signature }), true);
    },
    getEnsAddress: hasNoNames('getEnsAddress'),
    getEnsAvatar: hasNoNames('getEnsAvatar'),
    getEnsName: hasNoNames('getEnsName'),
    getEnsResolver: hasNoNames('getEnsResolver'),
    getEnsText: hasNoNames('getEnsText'),
  };
}

function ofWatching({ client, socket, viem }: Parts): Checks {
  // Tokens of the network move often.
  const event = viem.parseAbiItem('event Transfer(address indexed from, address indexed to, uint256 value)');
  const abi = [event];
  const seeLogs = (see: (one: bigint) => void) => (logs: Found[]) => {
    for (const { blockNumber } of logs) see(blockNumber);
  };
  /** Over HTTP by asking again and again, over a web socket by a subscription: `count` things come, in order. */
  const watches = async (
    begin: (of: Found, see: (one: bigint) => void, fail: (error: Error) => void) => () => void,
  ) => {
    for (const over of [client, socket]) {
      const seen: bigint[] = [];
      let failure: Error | null = null;
      const stop = begin(
        over,
        (one) => seen.push(one),
        (error) => {
          failure ??= error;
        },
      );
      try {
        for (const until = Date.now() + patienceMs; seen.length < 3 && !failure; await sleep(100)) {
          assert.ok(Date.now() < until, `${seen.length} came`);
        }
      } finally {
        stop();
      }
      if (failure) throw failure;
      assert.deepEqual(
        seen,
        seen.toSorted((a, b) => (a < b ? -1 : 1)),
      );
    }
  };
  const often = { pollingInterval: 200 };
  return {
    watchBlocks: () =>
      watches((of, see, onError) =>
        of.watchBlocks({ ...often, emitMissed: true, onError, onBlock: ({ number }: Found) => see(number) }),
      ),
    watchBlockNumber: () =>
      watches((of, see, onError) => of.watchBlockNumber({ ...often, onError, onBlockNumber: see })),
    async watchBlockHeaders() {
      const seen: Found[] = [];
      const stop = socket.watchBlockHeaders({ onBlockHeader: (header: Found) => seen.push(header) });
      await waitUntil(() => seen.length >= 2);
      stop();
      assert.equal(seen[1].parentHash, seen[0].hash);
    },
    watchEvent: () => watches((of, see, onError) => of.watchEvent({ ...often, event, onError, onLogs: seeLogs(see) })),
    watchContractEvent: () =>
      watches((of, see, onError) =>
        of.watchContractEvent({ ...often, abi, eventName: 'Transfer', onError, onLogs: seeLogs(see) }),
      ),
    async watchPendingTransactions() {
      for (const over of [client, socket]) {
        let failure: Error | null = null;
        const fail = (error: Error) => {
          failure = error;
        };
        const stop = over.watchPendingTransactions({
          ...often,
          onTransactions: () => fail(new Error('One came')),
          onError: fail,
        });
        await sleep(1500);
        stop();
        if (failure) throw failure;
      }
    },
  };
}
