// Hardhat 2 as a program: `hardhat run` of scripts that read by its library of ethers, over the network and in a fork.
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callDataOfText, readContractExamples } from './example-contracts.ts';
import type { ClientCall, ClientContext, OutsideClient } from './outside-client.ts';
import { runHardhat } from './run-hardhat.ts';
import { counterAbi } from './solidity-interfaces.ts';
import type { Found } from './tool-checks.ts';
import { ofCounter, readIncrements, readToolFacts, type ToolFacts } from './tool-facts.ts';

type Answer = { result?: Found; error?: Found };
type Check = {
  network: 'mirror' | 'hardhat';
  /** Body of an asynchronous function of `hre`, `ethers` and `named`. */
  script: string;
  is(answer: Answer): unknown;
};

const result =
  (is: (found: Found) => unknown) =>
  ({ result: found, error }: Answer) => {
    assert.equal(error, undefined, JSON.stringify(error));
    return is(found);
  };

export const hardhat2: OutsideClient = {
  packageName: 'hardhat',
  version: '2.29.1',
  beside: ['@nomicfoundation/hardhat-ethers@3.1.3', 'ethers@6.17.0'],
  pointedBy: "networks: { mirror: { url: '<address>/rpc' } }",
  async listCalls(context): Promise<ClientCall[]> {
    const { folder, mirrorUrl } = context;
    const facts = await readToolFacts(mirrorUrl);
    const until = await facts.newest();
    const { reverter } = await readContractExamples(mirrorUrl);
    const named = {
      ...{ abi: counterAbi, counter: facts.counter.address, account: facts.account.address },
      ...{ hash: facts.call.hash.slice(0, 66), number: Number(facts.block.number), until: Number(until) },
      ...{ increment: ofCounter.increment, sender: facts.call.sender },
      reverting: { to: reverter.evm_address, data: callDataOfText('withReason(string)', 'not today') },
    };
    const checks = listChecks(facts, until);
    writeProject(context, Number(until));
    const ran = new Map<Check['network'], Promise<Answer[]>>();
    const run = (network: Check['network']) => {
      const own = Object.values(checks).filter((check) => check.network === network);
      const answers = ran.get(network) ?? runScripts(folder, network, own, named);
      ran.set(network, answers);
      return answers;
    };
    return Object.entries(checks).map(([name, check]) => ({
      name,
      async run() {
        const own = Object.values(checks).filter(({ network }) => network === check.network);
        await check.is((await run(check.network))[own.indexOf(check)]!);
      },
    }));
  },
};

function listChecks(facts: ToolFacts, until: bigint): Record<string, Check> {
  const { block, call, counter } = facts;
  return {
    'network and block': {
      network: 'mirror',
      script: `const { chainId } = await ethers.provider.getNetwork();
const block = await ethers.provider.getBlock(named.number, true);
return [chainId, block.hash, block.prefetchedTransactions.length, block.baseFeePerGas];`,
      is: result(([chainId, hash, count, fee]) => {
        assert.deepEqual([chainId, hash, count], ['298', block.hash, block.hashes.length]);
        assert.ok(BigInt(fee) > 0n);
      }),
    },
    'transaction and receipt': {
      network: 'mirror',
      script: `const [sent, receipt] = [await ethers.provider.getTransaction(named.hash), await ethers.provider.getTransactionReceipt(named.hash)];
return [sent.blockNumber, sent.data, receipt.gasUsed, receipt.status, receipt.logs.length];`,
      is: result((found) =>
        assert.deepEqual(found, [
          ...[call.block_number, call.function_parameters, String(call.gas_used), 1, call.logs.length],
        ]),
      ),
    },
    'state of accounts and contracts': {
      network: 'mirror',
      script: `const of = ethers.provider;
return [await of.getCode(named.counter), await of.getBalance(named.account, named.until), await of.getTransactionCount(named.account)];`,
      is: result(([code, balance, nonce]) => {
        assert.deepEqual([code, nonce >= 0], [counter.code, true]);
        assert.ok(BigInt(balance) > 0n);
      }),
    },
    'read by a contract': {
      network: 'mirror',
      script: `const counter = await ethers.getContractAt(named.abi, named.counter);
return [await counter.count({ blockTag: named.until }), await ethers.provider.getStorage(named.counter, 0, named.until)];`,
      is: result(([count, slot]) => assert.equal(BigInt(count), BigInt(slot))),
    },
    'events of a contract': {
      network: 'mirror',
      script: `const counter = await ethers.getContractAt(named.abi, named.counter);
const found = await counter.queryFilter('Incremented', 0, named.until);
return found.map(({ blockNumber, transactionHash, args }) => [blockNumber, transactionHash, ethers.toBeHex(args.count, 32)].join(' '));`,
      is: result(async (found) => assert.deepEqual(found, await readIncrements(facts, until))),
    },
    'gas of a call': {
      network: 'mirror',
      script: `return ethers.provider.estimateGas({ from: named.sender, to: named.counter, data: named.increment });`,
      is: result((gas) => assert.ok(BigInt(gas) > 21_000n && BigInt(gas) < 100_000n, gas)),
    },
    'reason of a revert': {
      network: 'mirror',
      script: 'return ethers.provider.call(named.reverting);',
      is: ({ error }) => assert.match(String(error), /reverted.*not today/),
    },
    'a call inside of a transaction that ran': {
      network: 'mirror',
      script: `return hre.network.provider.send('debug_traceTransaction', [named.hash, { tracer: 'callTracer' }]);`,
      is: result(({ type, input }) => assert.deepEqual([type, input], ['CALL', ofCounter.increment])),
    },
    'state of a fork': {
      network: 'hardhat',
      // Calls at the block of the fork are refused: Hardhat takes it for one of the past.
      script: `await hre.network.provider.send('evm_mine');
const counter = await ethers.getContractAt(named.abi, named.counter);
return [await counter.count(), await ethers.provider.getStorage(named.counter, 0), await ethers.provider.getCode(named.counter)];`,
      is: result(async ([count, slot, code]) => assert.deepEqual([BigInt(count), code], [BigInt(slot), counter.code])),
    },
    'a transaction in a fork': {
      network: 'hardhat',
      script: `const counter = await ethers.getContractAt(named.abi, named.counter);
const before = await counter.count();
await (await counter.increment()).wait();
return [before, await counter.count(), (await ethers.provider.getBlock(named.until)).hash];`,
      is: result(([before, after, hash]) => {
        assert.equal(BigInt(after), BigInt(before) + 1n);
        assert.match(hash, /^0x[0-9a-f]{64}$/);
      }),
    },
  };
}

async function runScripts(
  folder: string,
  network: Check['network'],
  checks: readonly Check[],
  named: object,
): Promise<Answer[]> {
  const answers = `${network}.json`;
  const bodies = checks.map(({ script }) => `async (hre, ethers, named) => {\n${script}\n}`);
  writeFileSync(
    join(folder, `${network}.cjs`),
    `const hre = require('hardhat');
const { writeFileSync } = require('node:fs');
const named = ${JSON.stringify(named)};
(async () => {
  const answers = [];
  for (const run of [${bodies.join(',\n')}]) {
    try {
      answers.push({ result: await run(hre, hre.ethers, named) });
    } catch (error) {
      answers.push({ error: String(error && error.message) });
    }
  }
  const text = JSON.stringify(answers, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  writeFileSync(${JSON.stringify(answers)}, text);
})();
`,
  );
  writeFileSync(join(folder, answers), '[]');
  const args = ['run', '--no-compile', '--network', network, `${network}.cjs`];
  const { code, output } = await runHardhat(folder, args, 'node_modules/hardhat/internal/cli/cli.js');
  assert.equal(code, 0, output);
  const found = JSON.parse(readFileSync(join(folder, answers), 'utf8')) as Answer[];
  assert.equal(found.length, checks.length, output);
  return found;
}

function writeProject({ folder, mirrorUrl }: ClientContext, blockNumber: number): void {
  const url = `${mirrorUrl}/rpc`;
  const config = {
    networks: {
      mirror: { url },
      hardhat: {
        ...{ chainId: 298, forking: { url, blockNumber } },
        chains: { 298: { hardforkHistory: { cancun: 0 } } },
      },
    },
  };
  writeFileSync(
    join(folder, 'hardhat.config.cjs'),
    `require('@nomicfoundation/hardhat-ethers');\nmodule.exports = ${JSON.stringify(config)};\n`,
  );
}
