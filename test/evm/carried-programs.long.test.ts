// Transactions one after the other on the state that those before have left, in both machines: random programs call
// each other, write, create, destroy and fail, and what a transaction sees is what the judge's sees.
import { expect, it } from 'vitest';
import { intrinsicGas } from '../../packages/machine/rules/intrinsic-gas.ts';
import { runTransaction } from '../../packages/machine/run/run-transaction.ts';
import { createCarriedState } from '../../packages/machine/state/carried-state.ts';
import { createMemoryState } from '../../packages/machine/state/memory-state.ts';
import type { World as Left } from '../../packages/machine/state/world.ts';
import { isLong } from '../../packages/test-support/run/is-long.ts';
import { ethereumFacts } from './ethereum-rules.ts';
import { createJudges, judgedBlock } from './judge.ts';
import { judgedRules } from './own-machine.ts';
import { plainAccount, randomWorld, sender, type World } from './programs.ts';

const balances: ReadonlyMap<bigint, bigint> = new Map([
  [sender, 10n ** 12n],
  [plainAccount, 5n],
]);
const inSequence = 6;

type Call = Pick<World, 'sender' | 'to' | 'value' | 'data' | 'gas'>;

/** Of the programs of one world, each contract in turn, and a creation where the world has one. */
function callsOf(world: World): Call[] {
  return Array.from({ length: inSequence }, (_, at) => {
    const to = at === 0 ? world.to : world.contracts[at % world.contracts.length]!.address;
    return {
      sender,
      to,
      value: BigInt(at % 3) * world.value,
      data: to === null ? world.data : world.data.subarray(at),
      gas: 1_500_000,
    };
  });
}

function openOurs(world: World) {
  const rules = judgedRules(world.fork);
  const plain = [...balances].map(([address, balance]) => ({ address, balance }));
  const contracts = world.contracts.map((contract) => ({ ...contract, nonce: 1n }));
  const carried = createCarriedState(createMemoryState([...plain, ...contracts], { facts: ethereumFacts }), 5000n);
  return {
    read: (address: bigint) => {
      const found = carried.account(address);
      return [found?.balance ?? 0n, found?.nonce ?? 0n, Buffer.from(found?.code ?? []).toString('hex')];
    },
    run({ to, value, data, gas }: Call) {
      const gasLimit = gas + intrinsicGas({ data, isCreation: to === null }, rules).gas;
      let left: Left | null = null;
      const result = runTransaction(
        { ...{ sender, to, value, data, gasLimit, gasPrice: 7n, countsNonce: true } },
        {
          ...{ rules, state: carried, block: judgedBlock, nextNum: carried.nextNum },
          tracer: {
            leave: ({ parent }, machine) => {
              if (parent === null) left = machine.world;
            },
          },
        },
      );
      if (result.kind !== 'finished' || left === null) throw new Error(`The machine ended with ${result.kind}`);
      carried.take(left);
      const { status, halt, output, logs } = result;
      return {
        gasLimit,
        result: status === 'SUCCESS' ? 'success' : halt === null ? 'revert' : 'halt',
        output: Buffer.from(output).toString('hex'),
        gasUsed: result.gasConsumed + result.refund - (gasLimit - gas),
        logs: logs.length,
      };
    },
  };
}

it('agrees with @ethereumjs/evm after every transaction', { timeout: 300_000 }, async () => {
  const open = await createJudges();
  const count = isLong ? 1000 : 110;
  const seen = { changed: 0, success: 0, destroyed: 0, created: 0 };
  for (let seed = 1; seed <= count; seed++) {
    const world = randomWorld(seed);
    const [ours, judge] = [openOurs(world), await open(world, balances)];
    const addresses = [...world.contracts.map(({ address }) => address), sender, plainAccount];
    for (const [at, call] of callsOf(world).entries()) {
      const before = addresses.map(ours.read).join();
      const { gasLimit, logs, ...found } = ours.run(call);
      const judged = await judge.run(call, gasLimit);
      const { result, output, gasUsed } = judged;
      expect([seed, at, found, logs]).toEqual([seed, at, { result, output, gasUsed }, judged.logs.length]);
      await judge.end(judged);
      for (const address of addresses) {
        const { balance, nonce, code } = await judged.read(address);
        expect([seed, at, address, ours.read(address)]).toEqual([seed, at, address, [balance, nonce, code]]);
      }
      seen.changed += Number(addresses.map(ours.read).join() !== before);
      seen.success += Number(result === 'success');
      seen.destroyed += judged.destroyed.length;
      seen.created += Number(call.to === null);
    }
  }
  expect(seen.success).toBeGreaterThan(count);
  expect(seen.changed).toBeGreaterThan(count);
  expect([seen.destroyed > 0, seen.created > 0]).toEqual([true, true]);
});
