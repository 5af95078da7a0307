// `node scripts/run.mjs bench/evm.ts [--rounds <n>] [--own]`: CPU of six kinds of calls in the machine and in
// @ethereumjs/evm, in turn in one process; the median round counts. Slots and code are in memory for both. --own
// measures the machine alone. With --precompiles [--before <checkout>]: what a million gas of each precompile takes,
// here and there.
import { parseArgs } from 'node:util';
import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM } from '@ethereumjs/evm';
import { Account, Address } from '@ethereumjs/util';
import { rulesOf } from '../packages/machine/rules/versions.ts';
import { runTransaction } from '../packages/machine/run/run-transaction.ts';
import { createMemoryState } from '../packages/machine/state/memory-state.ts';
import { assemble } from '../packages/test-support/evm/assemble.ts';
import { balanceOf, loop } from './support/contract-texts.ts';
import { median } from './support/median.ts';
import { timePrecompiles } from './support/time-precompiles.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    own: { type: 'boolean', default: false },
    precompiles: { type: 'boolean', default: false },
    before: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
if (values.precompiles) {
  console.table(await timePrecompiles(rounds, values.before));
  process.exit();
}
const sender = 0xa11ce00000000000000000000000000000000001n;
const contract = 0xc0de000000000000000000000000000000000010n;
const gasLimit = 15_000_000;
const intrinsic = 21_000;

const hexData = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const kinds: { name: string; code: Uint8Array; data?: Uint8Array; times: number }[] = [
  {
    name: 'ERC-20 balanceOf',
    code: assemble(balanceOf),
    data: hexData(`70a08231${'0'.repeat(24)}${'ab'.repeat(20)}`),
    times: 200,
  },
  {
    name: 'arithmetic loop',
    code: assemble(`PUSH 7 ${loop(16_000, 'DUP1 SWAP2 PUSH 31 MUL ADD DUP2 XOR PUSH 0xffffffff AND SWAP1')}`),
    times: 1,
  },
  {
    name: 'keccak and memory',
    code: assemble(
      loop(1500, 'DUP1 PUSH 0 MSTORE PUSH 32 MLOAD DUP2 ADD PUSH 32 MSTORE PUSH 64 PUSH 0 KECCAK256 PUSH 64 MSTORE'),
    ),
    times: 1,
  },
  { name: '40 slots', code: assemble(loop(40, 'DUP1 SLOAD PUSH 3 ADD DUP2 SSTORE DUP1 SLOAD POP')), times: 20 },
  {
    name: '500 calls',
    code: assemble(loop(500, 'PUSH 0 PUSH 0 PUSH 0 PUSH 0 PUSH 0xc0de PUSH 5000 STATICCALL POP')),
    times: 2,
  },
  {
    name: '400 cold slots',
    code: assemble(loop(400, 'DUP1 PUSH 0x1000000000000000000000000000 MUL SLOAD POP')),
    times: 4,
  },
];

/** Behind the address 0xc0de. */
const called = assemble('PUSH 1 PUSH 0 MSTORE PUSH 32 PUSH 0 RETURN');
const storage = new Map(Array.from({ length: 41 }, (_, slot) => [BigInt(slot), 5n] as const));
const block = { number: 1000n, timestamp: 1_700_000_000n, prevRandao: 1n, chainId: 295n };
const rules = rulesOf('0.66');

const results: Record<string, string | number>[] = [];
for (const { name, code, data = new Uint8Array(0), times } of kinds) {
  const own = createOwn(code, data);
  const judge = await createJudge(code, data);
  const gas = own();
  const judged = await judge();
  if (gas !== judged) throw new Error(`${name}: ${gas} gas, and ${judged} in @ethereumjs/evm`);
  // Until both are compiled.
  await cpuOf(times * 5, own);
  await cpuOf(times * 5, judge);
  const taken: { own: number[]; judge: number[] } = { own: [], judge: [] };
  for (let round = 0; round < rounds; round++) {
    taken.own.push(await cpuOf(times, own));
    if (!values.own) taken.judge.push(await cpuOf(times, judge));
  }
  const [ownTime, judgeTime] = [median(taken.own), values.own ? Number.NaN : median(taken.judge)];
  results.push({
    call: name,
    gas,
    'own (ms)': ownTime.toFixed(3),
    '@ethereumjs/evm (ms)': judgeTime.toFixed(3),
    ratio: (judgeTime / ownTime).toFixed(1),
  });
}
console.table(results);

async function cpuOf(times: number, run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let count = 0; count < times; count++) await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / times;
}

function createOwn(code: Uint8Array, data: Uint8Array): () => number {
  const state = createMemoryState([
    { address: sender, balance: 10n ** 12n },
    { address: contract, code, storage },
    { address: 0xc0den, code: called },
  ]);
  return () => {
    state.asked.length = 0;
    const result = runTransaction(
      { sender, to: contract, value: 0n, data, gasLimit, gasPrice: 1n },
      { rules, state, block, nextNum: 5000n },
    );
    if (result.kind !== 'finished' || result.status !== 'SUCCESS') throw new Error(JSON.stringify(result.kind));
    return result.gasConsumed + result.refund - intrinsicOf(data);
  };
}

function intrinsicOf(data: Uint8Array): number {
  return data.reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), intrinsic);
}

async function createJudge(code: Uint8Array, data: Uint8Array): Promise<() => Promise<number>> {
  const evm = await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Cancun }) });
  const state = evm.stateManager;
  const [from, to] = [addressOf(sender), addressOf(contract)];
  await state.putAccount(from, new Account(0n, 10n ** 12n));
  await state.putAccount(to, new Account(1n, 0n));
  await state.putCode(to, code);
  await state.putAccount(addressOf(0xc0den), new Account(1n, 0n));
  await state.putCode(addressOf(0xc0den), called);
  for (const [slot, value] of storage) await state.putStorage(to, wordOf(slot), Uint8Array.of(Number(value)));
  return async () => {
    await state.checkpoint();
    evm.journal.cleanJournal();
    for (const address of [sender, contract]) evm.journal.addAlwaysWarmAddress(address.toString(16).padStart(40, '0'));
    const { execResult } = await evm.runCall({ caller: from, origin: from, to, data, gasLimit: BigInt(gasLimit) });
    await state.revert();
    (state as { originalStorageCache?: { clear(): void } }).originalStorageCache?.clear();
    if (execResult.exceptionError) throw new Error(execResult.exceptionError.error);
    return Number(execResult.executionGasUsed);
  };
}

function addressOf(address: bigint): Address {
  return new Address(Uint8Array.from(Buffer.from(address.toString(16).padStart(40, '0'), 'hex')));
}

function wordOf(word: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(word.toString(16).padStart(64, '0'), 'hex'));
}
