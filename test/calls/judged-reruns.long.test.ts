// The simulated network runs contracts in the machine that runs them again: a common mistake would stay unseen. So
// transactions in which the ledger's rules are Ethereum's are run in @ethereumjs/evm, too, on the state that the store
// has of the moment before. More of them: run-reruns.ts.
import { expect, it } from 'vitest';
import { judgeRerun } from './judge-rerun.ts';
import { rerunNetwork } from './rerun-network.ts';

it('agrees with @ethereumjs/evm on what was run again', { timeout: 240_000 }, async () => {
  const counts = { succeeded: 0, failed: 0 };
  const differing: string[] = [];
  const network = { maxGasBack: 100 };
  const reruns = await rerunNetwork(
    { seed: 'judged', blocks: 9, transactionsPerBlock: 50, mix: 'contracts', network },
    async (equal, world) => {
      const judged = await judgeRerun(equal, world);
      if (judged.kind === 'notPlain') return;
      counts[equal.run.status === 'SUCCESS' ? 'succeeded' : 'failed'] += 1;
      for (const line of judged.differs) differing.push(`${equal.result.consensusTimestamp}: ${line}`);
    },
  );
  expect(differing).toEqual([]);
  expect(reruns.different).toEqual([]);
  expect(counts.succeeded).toBeGreaterThan(80);
  expect(counts.failed).toBeGreaterThan(20);
});
