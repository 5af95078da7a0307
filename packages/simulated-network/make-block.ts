// Makes the units of a block from its plan and the state before it, always the same ones. The first block is genesis,
// the next two open the scene, the mix decides the rest. A UTC day begins with the stake update, an hour with an
// exchange rate.
import type { RunEvm } from './evm/run-evm.ts';
import type { BlockPlan, NetworkState } from './files/journal.ts';
import type { SigningNode } from './files/node-keys.ts';
import { forgetTheFinished } from './ledger/forget-the-finished.ts';
import type { Ledger } from './ledger/ledger.ts';
import { createPrices } from './ledger/prices.ts';
import { createSeededRandom } from './ledger/seeded-random.ts';
import type { SigningKeys } from './ledger/signing-keys.ts';
import type { BlockSigner } from './proofs/block-signer.ts';
import { createTransactionRunner } from './run/run-transaction.ts';
import { type StreamUnit, toStreamUnit } from './run/stream-unit.ts';
import { isBulkPrepared, playBulk, prepareBulk } from './scenarios/bulk-mix.ts';
import { openCollections } from './scenarios/collections.ts';
import { playContracts } from './scenarios/contract-mix.ts';
import { playDemo } from './scenarios/demo-mix.ts';
import { createGenesis, stakeUpdate } from './scenarios/genesis.ts';
import { changeExchangeRate } from './scenarios/network-affairs.ts';
import { openFirstBlock, openSecondBlock } from './scenarios/opening.ts';
import { createScene, type OpenScene } from './scenarios/scene.ts';
import type { Moment } from './transactions/execution.ts';

const dayNs = 86_400_000_000_000n;
const hourNs = 3_600_000_000_000n;
/** Minimum between two transactions: room for the records around each. */
const minimumStepNs = 60_000n;

type Parts = { ledger: Ledger; keys: SigningKeys; runEvm: RunEvm; nodes: readonly SigningNode[]; signer: BlockSigner };

export type MakeBlock = (plan: BlockPlan, state: NetworkState) => Promise<StreamUnit[]>;

export function createMakeBlock({ ledger, keys, runEvm, nodes, signer }: Parts): MakeBlock {
  const prices = createPrices(ledger);
  const runner = createTransactionRunner({ ledger, keys, prices, runEvm });

  return async (plan, state) => {
    const { number, consensusStart } = plan;
    const day = consensusStart / dayNs;
    if (number === 0n) {
      state.stakeDay = day;
      const publication = signer.publication();
      const units = createGenesis({ ledger, keys, nodes, publication, fees: state.genesisFees, at: consensusStart });
      ledger.settle();
      return units;
    }
    const units: StreamUnit[] = [];
    if (day > state.stakeDay) {
      state.stakeDay = day;
      units.push(toStreamUnit(ledger, ledger.mark(), [stakeUpdate(ledger, nodes, consensusStart)]));
    }
    const spread = plan.duration / BigInt(expectedTransactions(plan, ledger));
    const step = spread > minimumStepNs ? spread : minimumStepNs;
    const random = createSeededRandom(state.seed, `block ${number}`);
    const moment = (position: number): Moment => ({
      consensusTimestamp: consensusStart + 50_000n + step * BigInt(position) + step / 2n,
      blockNumber: number,
      blockTime: consensusStart,
      prevRandao: state.runningHash.subarray(0, 32),
      nodeAccount: nodes[position % nodes.length]!.accountId,
    });
    units.push(...(await runner.runDueSchedules({ ...moment(0), consensusTimestamp: consensusStart + 100n })));
    ledger.settle();

    const scene = createScene({ ledger, random, keys, prices, signer, runner, moment, units });
    if (number === 1n) await openFirstBlock(scene);
    else if (number === 2n) {
      await openSecondBlock(scene);
      // People look at such a network.
      if (state.keepsOpening) {
        await openCollections(scene);
        scene.keepAll();
      }
    } else {
      if (consensusStart / hourNs > state.lastConsensus / hourNs) await changeExchangeRate(scene);
      if (plan.mix === 'bulk') await playBulkBlock(scene, plan.transactions);
      else while (scene.submitted() < plan.transactions) await (plan.mix === 'demo' ? playDemo : playContracts)(scene);
    }
    forgetTheFinished(ledger);
    ledger.settle();
    return units;
  };
}

/** An upper bound: openings have fixed numbers, and a scenario may exceed the plan by some steps. */
function expectedTransactions({ number, transactions, mix }: BlockPlan, ledger: Ledger): number {
  const opening = number <= 2n ? 120 : mix === 'bulk' && !ledger.tables.cast.has('bulk') ? 500 : 0;
  return Math.max(opening, transactions + 20);
}

async function playBulkBlock(scene: OpenScene, transactions: number): Promise<void> {
  if (!isBulkPrepared(scene)) return prepareBulk(scene);
  for (let position = 0; position < transactions; position++) await playBulk(scene, position);
}
