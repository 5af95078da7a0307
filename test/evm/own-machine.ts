// Runs a world's transaction in our machine under Ethereum's rules.

import { intrinsicGas } from '../../packages/machine/rules/intrinsic-gas.ts';
import type { Rules } from '../../packages/machine/rules/rules.ts';
import { runTransaction } from '../../packages/machine/run/run-transaction.ts';
import { createMemoryState } from '../../packages/machine/state/memory-state.ts';
import { ethereumFacts, ethereumRules } from './ethereum-rules.ts';
import { judgedBlock } from './judge.ts';
import type { Outcome } from './outcome.ts';
import type { World } from './programs.ts';

/** As the judge's parts that run here: of the transaction itself it judges nothing. */
export function judgedRules(fork: World['fork']): Rules {
  const rules = ethereumRules(fork);
  return { ...rules, fork: { ...rules.fork, hasDataFloor: false }, refundQuotient: null };
}

/** Of the transaction, with what it costs to send it. */
export function gasLimitOf(world: World): number {
  return world.gas + intrinsicGas({ data: world.data, isCreation: world.to === null }, judgedRules(world.fork)).gas;
}

export function runOurs(world: World, plainBalances: ReadonlyMap<bigint, bigint>): Outcome {
  const rules = judgedRules(world.fork);
  const gasLimit = gasLimitOf(world);
  const contracts = world.contracts.map((contract) => ({ ...contract, nonce: 1n }));
  const plain = [...plainBalances].map(([address, balance]) => ({ address, balance }));
  const result = runTransaction(
    {
      sender: world.sender,
      to: world.to,
      value: world.value,
      data: world.data,
      gasLimit,
      gasPrice: 7n,
      countsNonce: true,
    },
    {
      rules,
      state: createMemoryState([...plain, ...contracts], { facts: ethereumFacts }),
      block: judgedBlock,
      nextNum: 5000n,
    },
  );
  if (result.kind !== 'finished') throw new Error(`The machine ended with ${result.kind}`);
  const changes = new Map(result.changes.map((change) => [change.address, change]));
  const slots = new Map<string, bigint>();
  for (const { address, storage } of world.contracts) {
    for (const [slot, value] of storage) slots.set(`${address} ${slot}`, value);
  }
  for (const { address, slots: changed } of result.changes) {
    for (const { slot, valueWritten } of changed) slots.set(`${address} ${slot}`, valueWritten);
  }
  for (const [key, value] of slots) if (value === 0n) slots.delete(key);
  const { status, halt } = result;
  return {
    result: status === 'SUCCESS' ? 'success' : halt === null ? 'revert' : 'halt',
    output: hex(result.output),
    gasUsed: result.gasConsumed + result.refund - (gasLimit - world.gas),
    refund: result.refund,
    logs: result.logs.map(({ address, topics, data }) =>
      [
        address.toString(16).padStart(40, '0'),
        ...topics.map((topic) => topic.toString(16).padStart(64, '0')),
        hex(data),
      ].join(' '),
    ),
    read: async (address) => {
      const change = changes.get(address);
      const before = world.contracts.find((contract) => contract.address === address);
      return {
        balance: change?.balance ?? before?.balance ?? plainBalances.get(address) ?? 0n,
        nonce: change?.nonce ?? (before ? 1n : 0n),
        code: hex(change?.code ?? before?.code ?? new Uint8Array(0)),
      };
    },
    slots,
    destroyed: result.changes.filter(({ isDeleted }) => isDeleted).map(({ address }) => address),
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
