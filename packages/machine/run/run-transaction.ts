// Runs one transaction on a state that is in memory, or says what is missing there. Nothing but the room's own mistakes
// is thrown.

import { NotSupported, Stop } from '../base/halt.ts';
import { startCall } from '../calls/start-call.ts';
import { creationAddress, startCreation } from '../calls/start-creation.ts';
import { canSend } from '../calls/transfer.ts';
import { type Frame, noBytes } from '../frame/frame.ts';
import { type Limits, lookEvery, type Machine } from '../frame/machine.ts';
import type { SystemContract } from '../frame/system-contract.ts';
import { opcodesOf } from '../opcodes/table.ts';
import { precompilesOf } from '../precompiles/table.ts';
import { facadeOf } from '../rules/facades.ts';
import { intrinsicGas } from '../rules/intrinsic-gas.ts';
import { createWorld } from '../state/world.ts';
import { lazyCreationGas } from '../system/gas/prices.ts';
import { authorize } from './authorize.ts';
import { changesOf } from './changes.ts';
import { runFrames } from './run-frames.ts';
import {
  type Finished,
  type RunOptions,
  type RunResult,
  type RunStatus,
  revertedStatuses,
  type Transaction,
} from './transaction.ts';

const usualLimits: Limits = {
  steps: 200_000_000,
  memory: 256 * 2 ** 20,
  reads: 10_000,
  missing: 2000,
  stepsAfterMissing: 200_000,
};
const noSystemContracts: ReadonlyMap<bigint, SystemContract> = new Map();

export function runTransaction(transaction: Transaction, options: RunOptions): RunResult {
  const { rules } = options;
  const { data, to, accessList = [], authorizations = [], gasLimit } = transaction;
  const { gas: intrinsic, floor } = intrinsicGas(
    {
      data,
      isCreation: to === null,
      addresses: accessList.length,
      slots: accessList.reduce((sum, { slots }) => sum + slots.length, 0),
      authorizations: authorizations.length,
    },
    rules,
  );
  if (Math.max(intrinsic, floor) > gasLimit) return unstarted(gasLimit, 'INSUFFICIENT_GAS');
  if (to === null && rules.fork.limitsInitCode && data.length > rules.initCodeLength) {
    return unstarted(gasLimit, 'CONTRACT_EXECUTION_EXCEPTION');
  }
  const machine = createMachine(transaction, options);
  try {
    const frame = begin(machine, transaction, gasLimit - intrinsic);
    if (frame === null) return notPaid(machine, gasLimit);
    runFrames(machine);
    const { missing } = machine.world.reads;
    if (missing.length > 0) return { kind: 'missing', facts: missing };
    return finish(machine, frame, { gasLimit, floor, maxGasBack: options.maxGasBack ?? 100 });
  } catch (error) {
    if (!(error instanceof Stop || error instanceof NotSupported)) throw error;
    const { missing } = machine.world.reads;
    // What was guessed may be why it came to this.
    if (missing.length > 0) return { kind: 'missing', facts: missing };
    if (error instanceof NotSupported) return { kind: 'notSupported', called: error.called, asker: error.asker };
    return { kind: 'stopped', limit: error.limit as Exclude<Stop['limit'], 'missing'> };
  }
}

function createMachine(transaction: Transaction, options: RunOptions): Machine {
  const { rules, state, block, nextNum, leastBalance = 0n, isTimeUp, tracer } = options;
  const limits = { ...usualLimits, ...options.limits };
  const precompiles = options.precompiles ?? precompilesOf(rules.fork.name);
  const world = createWorld(state, {
    maxReads: limits.reads,
    maxMissing: limits.missing,
    nextNum,
    facadeOf: (facts) => facadeOf(facts, rules),
    isAlwaysWarm: (address) => precompiles.has(address),
  });
  return {
    rules,
    opcodes: opcodesOf(rules.fork.name),
    precompiles,
    systemContracts: options.systemContracts ?? noSystemContracts,
    world,
    block,
    origin: world.account(transaction.sender).address,
    gasPrice: transaction.gasPrice,
    gasLimit: transaction.gasLimit,
    limits,
    isTimeUp,
    tracer,
    get lazyCreationGas() {
      return lazyCreationGas(world.fact({ kind: 'fees' }), world.fact({ kind: 'exchangeRate' }));
    },
    leastBalance,
    frame: null,
    refund: 0,
    logs: [],
    failedChildren: [],
    authorities: [],
    actions: options.withActions ? [] : null,
    memory: 0,
    countdown: lookEvery,
    steps: 0,
    stepsAtMissing: null,
  };
}

/** The outermost frame; null: the sender cannot pay the value. */
function begin(machine: Machine, transaction: Transaction, available: number): Frame | null {
  const { world, rules } = machine;
  const { sender: senderAddress, to, createAt, value, data, accessList = [], countsNonce } = transaction;
  const sender = world.account(senderAddress);
  world.warm(sender.address);
  if (rules.addresses.warmsCoinbase && rules.fork.limitsInitCode) world.warm(machine.block.coinbase ?? rules.coinbase);
  for (const { address, slots } of accessList) {
    world.warm(address);
    const account = world.account(address);
    for (const slot of slots) world.warmSlot(world.slot(account, slot));
  }
  const { nonce } = sender;
  if (countsNonce) world.setNonce(sender, nonce + 1n);
  const gas = authorize(machine, transaction.authorizations ?? [], available);
  if (value > 0n && !canSend(sender, value, machine)) return null;
  if (to === null) {
    const address = createAt ?? creationAddress(sender.address, nonce);
    return startCreation(machine, {
      operation: 'CREATE',
      parent: null,
      creator: sender,
      address,
      value,
      initCode: data,
      gas,
    });
  }
  world.warm(to);
  const recipient = world.account(to);
  const { delegate: target } = recipient.code;
  if (target !== null && rules.fork.delegates) world.warm(target);
  return startCall(machine, {
    operation: 'CALL',
    parent: null,
    codeAddress: to,
    recipient,
    caller: sender.address,
    sender,
    value,
    sends: true,
    data,
    gas,
    isStatic: false,
    outputStart: 0,
    outputLength: 0,
  });
}

function finish(
  machine: Machine,
  frame: Frame,
  { gasLimit, floor, maxGasBack }: { gasLimit: number; floor: number; maxGasBack: number },
): Finished {
  const { rules, logs, world } = machine;
  const spent = gasLimit - frame.gas;
  const quotient = rules.refundQuotient;
  const refund = quotient === null ? machine.refund : Math.min(machine.refund, Math.floor(spent / quotient));
  const gasConsumed = Math.max(spent - refund, floor);
  const least = gasLimit - Math.floor((gasLimit * maxGasBack) / 100);
  return {
    kind: 'finished',
    status: statusOf(frame),
    halt: frame.halt?.message ?? null,
    output: frame.output.slice(),
    gasUsed: Math.max(gasConsumed, least),
    gasConsumed,
    refund,
    logs,
    created: frame.isCreation && frame.state === 'stopped' ? frame.account.address : null,
    changes: changesOf(world),
    actions: machine.actions ?? [],
    failedChildren: machine.failedChildren,
    authorities: machine.authorities,
    isBelowIntrinsic: false,
  };
}

function statusOf({ state, halt, output }: Frame): RunStatus {
  if (state === 'stopped') return 'SUCCESS';
  if (state === 'halted') return halt!.status;
  const text = output.length <= 32 ? String.fromCharCode(...output) : '';
  return revertedStatuses.find((status) => status === text) ?? 'CONTRACT_REVERT_EXECUTED';
}

function notPaid({ world }: Machine, gasLimit: number): RunResult {
  const { missing } = world.reads;
  return missing.length > 0 ? { kind: 'missing', facts: missing } : unstarted(gasLimit, 'INSUFFICIENT_PAYER_BALANCE');
}

function unstarted(gasUsed: number, status: RunStatus): Finished {
  return {
    kind: 'finished',
    status,
    halt: null,
    output: noBytes,
    gasUsed,
    gasConsumed: gasUsed,
    refund: 0,
    logs: [],
    created: null,
    changes: [],
    actions: [],
    failedChildren: [],
    authorities: [],
    isBelowIntrinsic: status === 'INSUFFICIENT_GAS',
  };
}
