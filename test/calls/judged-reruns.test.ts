// The simulated network runs contracts in the machine that runs them again: a common mistake would stay unseen. So transactions in which
// the ledger's rules are Ethereum's are run in @ethereumjs/evm, too, on the state that the store has of the moment before.
import { expect, it } from 'vitest';
import { type Judged, judgeRerun } from './judge-rerun.ts';
import { type Equal, rerunNetwork } from './rerun-network.ts';

/**
 * What the ledger has and Ethereum has not: its own contracts, accounts that a value makes, delegations that cost what those do;
 * and creations, for which the ledger does not have the nonce.
 */
const ofTheLedger = [
  'system contract',
  'account made',
  'delegation set',
  'Ethereum type 4',
  'CREATE inside',
  'INVALID_CONTRACT_ID',
  'INVALID_SIGNATURE',
];
/** look(address) and vanish(address), which ask about accounts of the system, tokens and nobody; and values given to them. */
const aboutOthers = ['14bacd5e', 'f826c035'];

it('agrees with @ethereumjs/evm on what was run again', { timeout: 240_000 }, async () => {
  const counts = { judged: 0, succeeded: 0, failed: 0 };
  const exceptions: Record<string, number> = {};
  const differing: string[] = [];
  const except = (why: string) => {
    exceptions[why] = (exceptions[why] ?? 0) + 1;
  };
  await rerunNetwork(
    { seed: 'judged', blocks: 20, transactionsPerBlock: 55, mix: 'contracts', network: { maxGasBack: 100 } },
    async (equal, world) => {
      const why = reasonOf(equal);
      if (why !== null) return except(why);
      const judged: Judged = await judgeRerun(equal, world);
      if (judged.kind === 'notPlain') return except(judged.why);
      counts.judged += 1;
      counts[equal.run.status === 'SUCCESS' ? 'succeeded' : 'failed'] += 1;
      for (const line of judged.differs) differing.push(`${equal.result.consensusTimestamp}: ${line}`);
    },
  );
  console.log(counts, exceptions);
  expect(differing).toEqual([]);
  expect(counts.judged).toBeGreaterThan(500);
  expect(counts.failed).toBeGreaterThan(50);
});

function reasonOf({ result, kinds }: Equal): string | null {
  const own = kinds.find((kind) => ofTheLedger.includes(kind));
  if (own) return own;
  return aboutOthers.includes(result.functionParameters.subarray(0, 4).toString('hex')) ? 'asks about others' : null;
}
