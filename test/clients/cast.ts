// `cast` of Foundry: every command that asks a node, each compared with REST.

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyContract } from './contract-project.ts';
import { askDirectly, callData, readContractExamples } from './example-contracts.ts';
import type { ClientCall, ClientContext, OutsideClient } from './outside-client.ts';
import { runFoundry } from './run-foundry.ts';
import { outsideKey } from './solidity-interfaces.ts';
import type { Checks, Found } from './tool-checks.ts';
import { compareNow, ofCounter, readIncrements, readToolFacts, type ToolFacts } from './tool-facts.ts';

type Ended = { code: number | null; output: string };
type Parts = {
  /** What it prints; throws where it fails. */
  ask(...args: string[]): Promise<string>;
  cast(...args: string[]): Promise<Ended>;
  facts: ToolFacts;
};

export const cast: OutsideClient = {
  packageName: '@foundry-rs/cast',
  version: '1.7.1',
  pointedBy: '--rpc-url <address of --rpc-port>',
  async listCalls(context): Promise<ClientCall[]> {
    writeConfiguration(context);
    const run = (...args: string[]) => runFoundry('cast', context.folder, args, { ETH_RPC_URL: context.rpcUrl });
    const ask: Parts['ask'] = async (...args) => {
      const { code, output } = await run(...args);
      assert.equal(code, 0, output);
      return output.trim();
    };
    await verifyContract(
      context.mirrorUrl,
      'Counter',
      (await readContractExamples(context.mirrorUrl)).counter.evm_address,
    );
    const parts = { ask, cast: run, facts: await readToolFacts(context.mirrorUrl) };
    const checks = {
      ...ofChain(parts),
      ...ofBlocks(parts),
      ...ofState(parts),
      ...ofCalls(parts),
      ...ofTraces(parts),
      ...ofRefused(parts),
    };
    return Object.entries(checks).map(([name, check]) => ({ name, run: check }));
  },
};

function writeConfiguration({ folder, mirrorUrl }: ClientContext): void {
  mkdirSync(join(folder, 'home'), { recursive: true });
  // It keeps for a day what was not verified.
  rmSync(join(folder, 'home/.foundry'), { recursive: true, force: true });
  const explorer = `[etherscan]\nmirror = { key = 'any', chain = 298, url = '${mirrorUrl}/api' }\n`;
  writeFileSync(join(folder, 'foundry.toml'), `[profile.default]\n${explorer}`);
}

function ofChain({ ask, facts }: Parts): Checks {
  return {
    'chain-id': async () => assert.equal(await ask('chain-id'), '298'),
    chain: async () => assert.equal(await ask('chain'), 'unknown'),
    client: async () => assert.match(await ask('client'), /^ledger-mirror\//),
    'gas-price': () => compareNow(facts.gasPrice, async () => BigInt(await ask('gas-price'))),
    'base-fee': async () => assert.ok(BigInt(await ask('base-fee')) > 0n),
    'block-number': () => compareNow(facts.newest, async () => BigInt(await ask('block-number'))),
    'tx-pool status': async () => assert.match(await ask('tx-pool', 'status'), /"pending": "0x0"/),
    'tx-pool content': async () => assert.ok((await ask('tx-pool', 'content')).length > 0),
    'tx-pool content-from': async () =>
      assert.ok((await ask('tx-pool', 'content-from', '--from', facts.account.address)).length > 0),
    'tx-pool inspect': async () => assert.ok((await ask('tx-pool', 'inspect')).length > 0),
    rpc: async () => assert.equal(await ask('rpc', 'eth_chainId'), '"0x12a"'),
  };
}

function ofBlocks({ ask, facts }: Parts): Checks {
  const { block, call, signed } = facts;
  const hash = call.hash.slice(0, 66);
  const number = String(block.number);
  return {
    async block() {
      const found: Found = JSON.parse(await ask('block', number, '--json'));
      assert.deepEqual(
        [found.hash, found.parentHash, BigInt(found.gasUsed)],
        [block.hash, block.parentHash, block.gasUsed],
      );
      assert.deepEqual(found.transactions, block.hashes);
      const whole: Found = JSON.parse(await ask('block', number, '--full', '--json'));
      assert.deepEqual(
        whole.transactions.map((one: Found) => one.hash),
        block.hashes,
      );
    },
    'block --field': async () => assert.equal(await ask('block', number, '--field', 'hash'), block.hash),
    age: async () => assert.ok((await ask('age', number)).length > 0),
    'find-block': async () => {
      const found = Number(await ask('find-block', String(block.timestamp)));
      assert.ok(Math.abs(found - Number(block.number)) <= 1, `${found}`);
    },
    'base-fee of a block': async () => assert.ok(BigInt(await ask('base-fee', number)) > 0n),
    async tx() {
      for (const one of [call, signed]) {
        const found: Found = JSON.parse(await ask('tx', one.hash.slice(0, 66), '--json'));
        assert.deepEqual(
          [found.from, found.input, BigInt(found.gas)],
          [one.sender, one.function_parameters, BigInt(one.gas_limit)],
        );
      }
    },
    'tx --raw, decode-transaction': async () => {
      const raw = await ask('tx', signed.hash, '--raw');
      assert.equal(await ask('keccak', raw), signed.hash);
      // It prints a text of JSON as JSON.
      const read: Found = JSON.parse(JSON.parse(await ask('decode-transaction', raw)));
      assert.equal(read.signer, signed.sender);
    },
    async receipt() {
      const found: Found = JSON.parse(await ask('receipt', hash, '--json'));
      assert.deepEqual(
        [found.status, BigInt(found.gasUsed), found.logs.length],
        ['0x1', BigInt(call.gas_used), call.logs.length],
      );
    },
    async logs() {
      const until = await facts.newest();
      const search = ['--address', facts.counter.address, '--from-block', '0', '--to-block', String(until), '--json'];
      const found: Found[] = JSON.parse(await ask('logs', 'Incremented(address indexed,uint256)', ...search));
      assert.deepEqual(
        found.map((one) => `${BigInt(one.blockNumber)} ${one.transactionHash} ${one.data}`),
        await readIncrements(facts, until),
      );
    },
  };
}

function ofState({ ask, facts }: Parts): Checks {
  const { account, counter } = facts;
  const notProxied = `0x${'0'.repeat(40)}`;
  return {
    balance: () => compareNow(account.weibar, async () => BigInt(await ask('balance', account.address))),
    nonce: () => compareNow(account.nonce, async () => Number(await ask('nonce', account.address))),
    code: async () => assert.equal(await ask('code', counter.address), counter.code),
    codesize: async () => assert.equal(Number(await ask('codesize', counter.address)), counter.code.length / 2 - 1),
    storage: () => compareNow(counter.value, async () => BigInt(await ask('storage', counter.address, '0'))),
    implementation: async () => assert.equal(await ask('implementation', counter.address), notProxied),
    admin: async () => assert.equal(await ask('admin', counter.address), notProxied),
    'compute-address': async () => assert.match(await ask('compute-address', account.address), /0x[0-9a-fA-F]{40}$/),
  };
}

function ofCalls({ ask, cast: run, facts }: Parts): Checks {
  const { account, counter, coin, block } = facts;
  const from = ['--from', account.address];
  const held = async () => {
    const data = callData('balanceOf(address)', [BigInt(account.address)]);
    return BigInt((await askDirectly(facts.mirrorUrl, { to: coin.address, data })).result!);
  };
  return {
    call: () => compareNow(counter.value, async () => BigInt(await ask('call', counter.address, 'count()(uint256)'))),
    'call at a block': async () => {
      const at = ['--block', String(block.number)];
      const found = BigInt(await ask('call', counter.address, 'count()(uint256)', ...at));
      assert.equal(found, BigInt(await ask('storage', counter.address, '0', ...at)));
    },
    'call --override-code': async () => {
      const returns7 = `${account.address}:0x60075f5260205ff3`;
      assert.equal(BigInt(await ask('call', account.address, '0x', '--override-code', returns7)), 7n);
    },
    'call, panic': async () => {
      const { code, output } = await run('call', counter.address, 'underflow(uint256)', '1', ...from);
      assert.notEqual(code, 0);
      assert.match(output, /4e487b71.*11"/);
    },
    'call --create': async () =>
      assert.equal(await ask('call', ...from, '--create', '0x6001600c60003960016000f300'), '0x00'),
    async estimate() {
      const { result } = await askDirectly(facts.mirrorUrl, {
        from: account.address,
        to: counter.address,
        data: ofCounter.increment,
        estimate: true,
      });
      assert.equal(BigInt(await ask('estimate', ...from, counter.address, 'increment()')), BigInt(result!));
    },
    'estimate --create': async () =>
      assert.ok(BigInt(await ask('estimate', ...from, '--create', '0x6001600c60003960016000f300')) > 53_000n),
    'access-list': async () =>
      assert.match(await ask('access-list', ...from, counter.address, 'increment()'), new RegExp(counter.address)),
    mktx: async () =>
      assert.match(
        await ask('mktx', '--private-key', outsideKey, '--gas-limit', '100000', counter.address, 'increment()'),
        /^0x02f8/,
      ),
    'erc20-token name, symbol, decimals, total-supply, balance, allowance': async () => {
      assert.match(await ask('erc20-token', 'name', coin.address), /Mirror Coin/);
      assert.match(await ask('erc20-token', 'symbol', coin.address), /MRC/);
      assert.equal(await ask('erc20-token', 'decimals', coin.address), '6');
      const numberOf = (text: string) => BigInt(text.split(' ')[0]!);
      await compareNow(coin.supply, async () => numberOf(await ask('erc20-token', 'total-supply', coin.address)));
      await compareNow(held, async () => numberOf(await ask('erc20-token', 'balance', coin.address, account.address)));
      const none = await ask('erc20-token', 'allowance', coin.address, coin.address, coin.address);
      assert.equal(numberOf(none), 0n);
    },
  };
}

function ofTraces({ ask, cast: run, facts }: Parts): Checks {
  const hash = facts.call.hash.slice(0, 66);
  return {
    'rpc debug_traceTransaction': async () => {
      const found: Found = JSON.parse(await ask('rpc', 'debug_traceTransaction', hash, '{"tracer":"callTracer"}'));
      assert.equal(found.input, ofCounter.increment);
    },
    trace: async () => assert.match(await ask('trace', hash), /increment|d09de08a/),
    'call --trace': async () =>
      assert.match(await ask('call', '--trace', facts.counter.address, 'count()(uint256)'), /Gas used|Traces/),
    run: async () => {
      // It runs the transactions before it in its own machine: what the network charges differs.
      const { code, output } = await run('run', '--quick', hash);
      assert.equal(code, 0, output);
    },
    'interface, source, constructor-args of what is verified': async () => {
      const { counter, mirrorUrl } = facts;
      const explorer = ['--explorer-api-url', `${mirrorUrl}/api`, '--explorer-url', mirrorUrl];
      assert.match(await ask('source', '--chain', '298', ...explorer, counter.address), /contract Counter/);
      assert.match(await ask('interface', '--chain', '298', counter.address), /function increment\(\)/);
      assert.match(await ask('constructor-args', '--chain', '298', counter.address), /0x/);
    },
  };
}

/** What no such ledger can answer, and what a mirror that only reads refuses: with its reason. */
function ofRefused({ cast: run, facts }: Parts): Checks {
  const { counter, signed } = facts;
  const refused =
    (reason: RegExp, ...args: string[]) =>
    async () => {
      const { code, output } = await run(...args);
      assert.notEqual(code, 0, output);
      assert.match(output, reason);
    };
  const proofs = /Merkle Patricia trie/;
  return {
    proof: refused(proofs, 'proof', counter.address, '0x0'),
    'storage-root': refused(proofs, 'storage-root', counter.address),
    codehash: refused(proofs, 'codehash', counter.address),
    publish: refused(/--relay-url/, 'publish', '0x02'),
    send: refused(
      /--relay-url/,
      'send',
      '--private-key',
      outsideKey,
      '--gas-limit',
      '100000',
      counter.address,
      'increment()',
    ),
    'resolve-name': refused(/./, 'resolve-name', 'a.eth'),
    'lookup-address': refused(/./, 'lookup-address', signed.sender),
  };
}
