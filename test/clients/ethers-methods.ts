// Every method of a provider of ethers 6, and what its contracts and signers ask, each compared with REST.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { askDirectly } from './example-contracts.ts';
import { patienceMs } from './patience.ts';
import { coinAbi, counterAbi, outsideKey } from './solidity-interfaces.ts';
import { type Checks, type Found, joinChecks, waitUntil } from './tool-checks.ts';
import { compareNow, ofCounter, readIncrements, sameLog, type ToolFacts } from './tool-facts.ts';

type Parts = { provider: Found; ethers: Found; facts: ToolFacts };

/** By the names of ethers. */
export function listProviderMethods(parts: Parts): Checks {
  return joinChecks(parts, [ofChain, ofState, ofCalls, ofLogs, ofSigners, ofEvents]);
}

function ofChain({ provider, facts }: Parts): Checks {
  const { block, call, signed } = facts;
  const hash = call.hash.slice(0, 66);
  return {
    getNetwork: async () => assert.equal((await provider.getNetwork()).chainId, 298n),
    getBlockNumber: () => compareNow(facts.newest, async () => BigInt(await provider.send('eth_blockNumber', []))),
    async getBlock() {
      const found = await provider.getBlock(Number(block.number), true);
      assert.deepEqual(
        [found.hash, found.parentHash, found.gasUsed, BigInt(found.timestamp), found.transactions],
        [block.hash, block.parentHash, block.gasUsed, block.timestamp, block.hashes],
      );
      assert.equal(found.prefetchedTransactions.length, block.hashes.length);
      for (const tag of ['latest', 'safe', 'finalized', 'pending', 'earliest'])
        assert.ok(await provider.getBlock(tag), tag);
      assert.equal(await provider.getBlock(2 ** 40), null);
    },
    async getTransaction() {
      for (const one of [call, signed]) {
        const found = await provider.getTransaction(one.hash.slice(0, 66));
        assert.deepEqual(
          [found.from.toLowerCase(), found.data, found.gasLimit, found.blockNumber, found.index],
          [one.sender, one.function_parameters, BigInt(one.gas_limit), one.block_number, one.transaction_index],
        );
      }
      assert.equal(await provider.getTransaction(`0x${'ab'.repeat(32)}`), null);
    },
    async getTransactionReceipt() {
      const found = await provider.getTransactionReceipt(hash);
      assert.deepEqual(
        [found.status, found.gasUsed, found.from.toLowerCase(), found.logs.map(sameLog)],
        [1, BigInt(call.gas_used), call.sender, call.logs.map(sameLog)],
      );
    },
    // What no provider of JSON-RPC has in ethers.
    getTransactionResult: () => assert.rejects(provider.getTransactionResult(hash), { code: 'UNSUPPORTED_OPERATION' }),
    waitForTransaction: async () => assert.equal((await provider.waitForTransaction(hash, 1)).hash, hash),
    waitForBlock: () =>
      assert.rejects(
        async () => (await provider.waitForBlock('latest')).missing.member,
        (error: Found) => {
          // Not written in this version of ethers.
          return error.code === 'NOT_IMPLEMENTED' || error instanceof TypeError;
        },
      ),
    async getFeeData() {
      await compareNow(facts.gasPrice, async () => {
        const found = await provider.getFeeData();
        assert.ok(found.maxFeePerGas >= found.gasPrice);
        assert.equal(found.maxPriorityFeePerGas, 0n);
        return found.gasPrice;
      });
    },
    async _detectNetwork() {
      assert.equal((await provider._detectNetwork()).chainId, 298n);
    },
    listAccounts: async () => assert.deepEqual(await provider.listAccounts(), []),
    getSigner: () => assert.rejects(provider.getSigner(0), /no such account/),
    send: async () => assert.equal(await provider.send('net_version', []), '298'),
  };
}

function ofState({ provider, facts }: Parts): Checks {
  const { account, counter, block } = facts;
  return {
    getBalance: () => compareNow(account.weibar, () => provider.getBalance(account.address)),
    getTransactionCount: () => compareNow(account.nonce, () => provider.getTransactionCount(account.address)),
    getCode: async () => assert.equal(await provider.getCode(counter.address), counter.code),
    async getStorage() {
      await compareNow(counter.value, async () => BigInt(await provider.getStorage(counter.address, 0)));
      const old = await provider.getStorage(counter.address, 0, Number(block.number));
      assert.equal(
        await provider.call({ to: counter.address, data: ofCounter.count, blockTag: Number(block.number) }),
        old,
      );
    },
    resolveName: () => assert.rejects(provider.resolveName('a.eth'), { code: 'UNSUPPORTED_OPERATION' }),
    lookupAddress: () => assert.rejects(provider.lookupAddress(account.address), { code: 'UNSUPPORTED_OPERATION' }),
    getResolver: () => assert.rejects(provider.getResolver('a.eth'), { code: 'UNSUPPORTED_OPERATION' }),
    getAvatar: () => assert.rejects(provider.getAvatar('a.eth'), { code: 'UNSUPPORTED_OPERATION' }),
  };
}

function ofCalls({ provider, ethers, facts }: Parts): Checks {
  const { counter, coin, account } = facts;
  const contract = new ethers.Contract(counter.address, counterAbi, provider);
  const coins = new ethers.Contract(coin.address, coinAbi, provider);
  const from = account.address;
  return {
    call: () =>
      compareNow(counter.value, async () =>
        BigInt(await provider.call({ to: counter.address, data: ofCounter.count })),
      ),
    async estimateGas() {
      const asked = { from, to: counter.address, data: ofCounter.increment };
      const { result } = await askDirectly(facts.mirrorUrl, { ...asked, estimate: true });
      const found = await provider.estimateGas(asked);
      assert.equal(found, BigInt(result!));
    },
    'Contract, view': () => compareNow(coin.supply, () => coins.totalSupply()),
    async 'Contract, staticCall'() {
      await compareNow(
        async () => (await counter.value()) + 1n,
        () => contract.increment.staticCall({ from }),
      );
    },
    'Contract, estimateGas': async () =>
      assert.equal(
        await contract.increment.estimateGas({ from }),
        await provider.estimateGas({ from, to: counter.address, data: ofCounter.increment }),
      ),
    'Contract, panic': () =>
      assert.rejects(contract.underflow.staticCall(1n, { from }), (error: Found) => {
        assert.equal(error.code, 'CALL_EXCEPTION');
        assert.match(error.reason, /OVERFLOW/);
        return true;
      }),
    'Contract, getDeployedCode': async () => assert.equal(await contract.getDeployedCode(), counter.code),
  };
}

function ofLogs({ provider, ethers, facts }: Parts): Checks {
  const { counter, block } = facts;
  const shown = ({ blockNumber, transactionHash, data }: Found) => `${blockNumber} ${transactionHash} ${data}`;
  return {
    async getLogs() {
      const toBlock = await provider.send('eth_blockNumber', []);
      const search = { address: counter.address, topics: [ofCounter.incremented] };
      const found = await provider.getLogs({ ...search, fromBlock: 0, toBlock });
      assert.deepEqual(found.map(shown), await readIncrements(facts, BigInt(toBlock)));
      assert.ok((await provider.getLogs({ ...search, blockHash: block.hash })).length > 0);
    },
    async 'Contract, queryFilter'() {
      const toBlock = Number(await provider.send('eth_blockNumber', []));
      const contract = new ethers.Contract(counter.address, counterAbi, provider);
      const found = await contract.queryFilter('Incremented', 0, toBlock);
      assert.deepEqual(found.map(shown), await readIncrements(facts, BigInt(toBlock)));
      assert.equal(typeof found[0].args.count, 'bigint');
    },
  };
}

function ofSigners({ provider, ethers, facts }: Parts): Checks {
  const wallet = new ethers.Wallet(outsideKey, provider);
  const { counter, account } = facts;
  return {
    async 'Wallet, getNonce'() {
      assert.equal(await wallet.getNonce(), 0);
    },
    async 'VoidSigner, populateTransaction'() {
      const signer = new ethers.VoidSigner(account.address, provider);
      const found = await signer.populateTransaction({ to: counter.address, data: ofCounter.increment });
      assert.deepEqual([found.chainId, found.nonce, found.type], [298n, await account.nonce(), 2]);
      assert.ok(found.gasLimit > 21_000n && found.maxFeePerGas >= (await facts.gasPrice()));
    },
    async broadcastTransaction() {
      const raw = await wallet.signTransaction({
        to: counter.address,
        chainId: 298,
        nonce: 0,
        gasLimit: 21_000n,
        gasPrice: 1n,
      });
      await assert.rejects(provider.broadcastTransaction(raw), /--relay-url/);
    },
  };
}

/** What is asked by polling: filters, and numbers of blocks. */
function ofEvents({ provider, ethers, facts }: Parts): Checks {
  const first = async (event: Found): Promise<Found[]> => {
    let stop: () => void = () => {};
    try {
      return await new Promise((done, fail) => {
        const timer = setTimeout(() => fail(new Error('Nothing came')), patienceMs);
        stop = () => clearTimeout(timer);
        provider.once(event, (...found: Found[]) => done(found));
      });
    } finally {
      stop();
    }
  };
  return {
    async 'on block'() {
      const [number] = await first('block');
      assert.equal((await provider.getBlock(number)).number, number);
    },
    async 'on finalized, safe'() {
      assert.equal(typeof (await first('finalized'))[0], 'number');
      assert.equal(typeof (await first('safe'))[0], 'number');
    },
    async 'on logs'() {
      const [log] = await first({ topics: [ethers.id('Transfer(address,address,uint256)')] });
      const receipt = await provider.getTransactionReceipt(log.transactionHash);
      assert.ok(receipt.logs.some(({ index }: Found) => index === log.index));
    },
    async 'on a transaction'() {
      const [receipt] = await first(facts.call.hash.slice(0, 66));
      assert.equal(receipt.blockNumber, facts.call.block_number);
    },
    async 'on pending'() {
      let came = 0;
      await provider.on('pending', () => came++);
      await sleep(1500);
      await provider.off('pending');
      assert.equal(came, 0);
    },
    async 'pause, resume, removeAllListeners, listenerCount'() {
      let seen = 0;
      await provider.on('block', () => seen++);
      provider.pause(true);
      provider.resume();
      await waitUntil(() => seen > 0);
      assert.equal(await provider.listenerCount('block'), 1);
      await provider.removeAllListeners();
      assert.equal(await provider.listenerCount(), 0);
    },
  };
}
