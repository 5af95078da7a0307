// Contracts as Solidity compiles them, created and called with arguments of every kind in both machines.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createJudge } from './judge.ts';
import { differences } from './outcome.ts';
import { gasLimitOf, runOurs } from './own-machine.ts';
import { plainAccount, sender, type World } from './programs.ts';

type Compiled = { initcode: string; methods: Record<string, string> };
const path = new URL('../../packages/simulated-network/contracts/artifacts.json', import.meta.url);
const { contracts } = JSON.parse(readFileSync(path, 'utf8')) as { contracts: Record<string, Compiled> };
const balances = new Map([
  [sender, 10n ** 12n],
  [plainAccount, 5n],
]);
const [first, second] = [0xc0de000000000000000000000000000000000010n, 0xc0de000000000000000000000000000000000011n];
const argument = (word: bigint) => word.toString(16).padStart(64, '0');
/** Zero, or false: what constructors ask for. */
const constructorData = argument(0n);
const args = [1n, 3n, sender, second];

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

it('agrees with @ethereumjs/evm on compiled contracts', { timeout: 240_000 }, async () => {
  const judge = await createJudge();
  const check = async (world: World) => {
    const ours = runOurs(world, balances);
    const judged = await judge(world, balances, gasLimitOf(world));
    expect(await differences(ours, judged, [first, second, sender, plainAccount])).toEqual([]);
    return judged;
  };
  const world: World = {
    fork: 'prague',
    contracts: [],
    sender,
    to: null,
    value: 0n,
    data: new Uint8Array(0),
    gas: 3e6,
  };
  const made: { code: Uint8Array; selectors: string[] }[] = [];
  for (const { initcode, methods } of Object.values(contracts)) {
    const created = await check({ ...world, data: bytes(initcode + constructorData) });
    expect(created.result).toBe('success');
    made.push({ code: bytes(created.output), selectors: Object.values(methods) });
  }
  const results = { success: 0, revert: 0, halt: 0 };
  for (const { code, selectors } of made) {
    for (const selector of selectors) {
      for (const [one, other] of args.flatMap((word) => args.map((next) => [word, next] as const))) {
        const storage = new Map([
          [0n, 9n],
          [1n, 5n],
        ]);
        const called = { address: first, code, balance: 50n, storage };
        const besides = { address: second, code: made[0]!.code, balance: 0n, storage: new Map([[0n, 3n]]) };
        const data = bytes(selector + argument(one) + argument(other) + argument(3n));
        const { result } = await check({
          ...world,
          contracts: [called, besides],
          to: first,
          gas: 300_000,
          data,
          value: one === 1n ? 2n : 0n,
        });
        results[result] += 1;
      }
    }
  }
  expect(results.success).toBeGreaterThan(100);
  expect(results.revert).toBeGreaterThan(100);
});
