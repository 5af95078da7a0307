// eth_simulateV1: blocks of calls, each on the state that the ones before leave.

import { blockOfCall } from '../reading/block-kinds.ts';
import type { RpcContext } from '../reading/context.ts';
import { findBlock } from '../reading/find-block.ts';
import type { BlockReference } from '../reading/kinds.ts';
import { about, type Method, method } from '../reading/method.ts';
import { type AskedSimulation, planBlocks, simulatePayload } from '../reading/simulation.ts';
import { gasLimitOf } from '../shapes/block.ts';
import { toSimulatedBlock } from '../shapes/simulated-block.ts';
import { hash32OfText } from '../terms/hex.ts';
import { rpcError } from '../terms/rpc-error.ts';

async function simulate({ ledger, machine, chainId }: RpcContext, asked: AskedSimulation, reference: BlockReference) {
  const base = await findBlock(ledger, reference);
  if (!base) throw rpcError.failedSimulation('Unknown block number');
  const { number, consensusStart, hash } = base;
  const {
    validation: validates = false,
    traceTransfers: tracesTransfers = false,
    returnFullTransactions: isWhole = false,
  } = asked;
  const blocks = planBlocks(asked.blocks, {
    ...{ number, timestamp: consensusStart / 1_000_000_000n, gasLimit: gasLimitOf(base) },
  });
  const parentHash = BigInt(hash32OfText(hash));
  const found = await machine.simulate({ blocks, parentHash, validates, tracesTransfers }, { number });
  return blocks.map((block, at) => toSimulatedBlock(block, found[at]!, { chainId, isWhole }));
}

export const simulateMethods: Readonly<Record<string, Method>> = {
  eth_simulateV1: about(
    ['blocks of calls, with overrides of block and state', 'block: tag, number, hash or object, optional'],
    'the blocks, with what each call answers; see Simulations',
    method([simulatePayload, blockOfCall], simulate),
  ),
};
