// One random program after the other, in both machines.
import { createJudge } from './judge.ts';
import { differences } from './outcome.ts';
import { gasLimitOf, runOurs } from './own-machine.ts';
import { plainAccount, randomWorld, sender } from './programs.ts';

export type Compared = {
  programs: number;
  /** By how the transaction ended. */
  results: Record<string, number>;
  gas: number;
  logs: number;
  slots: number;
  differing: { seed: number; found: string[] }[];
};

const balances: ReadonlyMap<bigint, bigint> = new Map([
  [sender, 10n ** 12n],
  [plainAccount, 5n],
]);

export async function comparePrograms(from: number, count: number): Promise<Compared> {
  const judge = await createJudge();
  const compared: Compared = { programs: 0, results: {}, gas: 0, logs: 0, slots: 0, differing: [] };
  for (let seed = from; seed < from + count; seed++) {
    const world = randomWorld(seed);
    const ours = runOurs(world, balances);
    const judged = await judge(world, balances, gasLimitOf(world));
    const addresses = [...world.contracts.map(({ address }) => address), sender, plainAccount];
    const found = await differences(ours, judged, addresses);
    if (found.length > 0) compared.differing.push({ seed, found });
    compared.programs += 1;
    compared.results[judged.result] = (compared.results[judged.result] ?? 0) + 1;
    compared.gas += judged.gasUsed;
    compared.logs += judged.logs.length;
    compared.slots += judged.slots.size;
  }
  return compared;
}
