// What JSON-RPC asks of the machine of contracts, through the threads, limits and throttle that REST has too. Failures
// are errors of JSON-RPC.

import { readRevertReason } from '../../../../packages/abi/revert-reason.ts';
import type { StateBlockName } from '../../../../packages/store/read/state/select-state-block.ts';
import type { CallAnswer, Calls, TraceAnswer } from '../../../calls/create-calls.ts';
import { nameHalt } from '../../../calls/halt-name.ts';
import type { SimulatedBlock, Simulation } from '../../../calls/simulate/simulation.ts';
import type { AccessListItem, CallInput, CallQuestion } from '../../../calls/thread/job.ts';
import type { RpcTraceOptions } from '../../../calls/trace/open-trace.ts';
import type { ContractResultDetail } from '../../../ledger/contracts/create-contract-results.ts';
import { type CallLimits, refuseUnended } from '../../../resources/contracts/calls/refuse-unended.ts';
import { waitForThread } from '../../../resources/contracts/calls/wait-for-thread.ts';
import { RpcError, rpcError, Untraceable } from '../terms/rpc-error.ts';
import { simulationError } from '../terms/simulation-error.ts';

/** Addresses as numbers, the value in tinybar. A price of gas is not in it: gas is not paid. */
export type ContractCall = Pick<CallQuestion, 'from' | 'to' | 'data' | 'value' | 'accessList' | 'signed'> & {
  /** null = as much as there may be. */
  gas: bigint | null;
};

type CallToTrace = { call: ContractCall; shown: RpcTraceOptions[] };

/** On what a call runs. `block`: null = now. */
export type CallPlace = Pick<CallQuestion, 'block' | 'overrides' | 'blockOverrides'>;

/** `error`: how the call failed; null: it did not. */
export type FoundAccess = { list: AccessListItem[]; gasUsed: number; error: string | null };

/** Every question throws RpcError for a call that failed. */
export type Machine = {
  /** What was returned. */
  call(call: ContractCall, at: CallPlace): Promise<Uint8Array>;
  /** Gas, on the state of now. */
  estimate(call: ContractCall, at: Omit<CallPlace, 'block'>): Promise<number>;
  /** With which the call would run, and the gas that it then takes. Throws where it would not begin. */
  accessList(call: ContractCall, at: CallPlace): Promise<FoundAccess>;
  /** Calls one after the other, on the state at the end of a block. */
  simulate(asked: Omit<Simulation, 'gas' | 'callGas'>, block: StateBlockName): Promise<SimulatedBlock[]>;
  /** Throws RpcError where enough is traced in this second. */
  enterTrace(): void;
  /**
   * Runs a transaction again: JSON, compressed. `mustAgree`: throws where status, output, logs or slots are not those of
   * the ledger.
   */
  trace(result: ContractResultDetail, shown: RpcTraceOptions, how?: { mustAgree: boolean }): Promise<Uint8Array>;
  /** The same of calls, each on the state that the one before leaves. Throws where one would not begin. */
  traceCalls(calls: readonly CallToTrace[], at: CallPlace): Promise<Uint8Array[][]>;
};

type Options = {
  calls: Calls;
  limits: CallLimits;
  /** More is cut to it: clients send the limit of a block. */
  maxGas: number;
  /** Whether transactions may be run again. */
  traces: boolean;
};

const minGas = 21_000;

export function createMachine({ calls, limits, maxGas, traces }: Options): Machine {
  return {
    async call(call, at) {
      const answer = await ask(call, { estimate: false, ...at });
      if (answer.kind === 'finished' && answer.run.status === 'SUCCESS') return answer.run.output;
      throw toError(answer);
    },
    async estimate(call, at) {
      const answer = await ask(call, { estimate: true, block: null, ...at });
      if (answer.kind === 'estimated') return answer.gas;
      throw toError(answer);
    },
    async accessList(call, at) {
      const answer = await ask(call, { estimate: false, listsAccess: true, ...at });
      if (answer.kind !== 'finished' || !answer.accessList) throw toError(answer);
      const { run, accessList } = answer;
      return { list: accessList, gasUsed: run.gasUsed, error: run.status === 'SUCCESS' ? null : ofRun(run).message };
    },
    async simulate(asked, block) {
      const answer = await waitForThread(
        calls.simulate({ ...asked, gas: gasOf(asked, maxGas), callGas: maxGas }, block),
      );
      if (answer.kind === 'simulated') return answer.blocks;
      throw answer.kind === 'invalid' ? simulationError(answer.fault, answer.text) : toError(answer);
    },
    enterTrace() {
      if (!traces) throw rpcError.unsupportedMethod('this server runs no transaction again (--opcode-traces off)');
      if (!calls.mayTrace()) throw rpcError.throttled('Requests per second rate limit exceeded');
    },
    async trace(result, shown, { mustAgree } = { mustAgree: false }) {
      const answer = await waitForThread(calls.trace(result, shown));
      if (answer.kind !== 'traced') throw ofTransaction(toError(answer));
      const differences = answer.differences.filter((part) => part !== 'gas');
      if (mustAgree && differences.length > 0) throw rpcError.otherRun(differences.join(', '));
      return answer.body;
    },
    async traceCalls([first, ...others], at) {
      if (!first) return [];
      const next = others.map(({ call, shown }) => ({ ...toInput(call), traces: shown }));
      const answer = await ask(first.call, { estimate: false, traces: first.shown, next, ...at });
      if (answer.kind === 'tracedCalls') return answer.bodies;
      throw toError(answer);
    },
  };

  function ask(
    call: ContractCall,
    more: CallPlace & Pick<CallQuestion, 'estimate' | 'listsAccess' | 'traces' | 'next'>,
  ): Promise<CallAnswer> {
    return waitForThread(calls.ask({ ...toInput(call), ...more }));
  }

  function toInput({ gas: given, ...input }: ContractCall): CallInput {
    const gas = given === null || given > BigInt(maxGas) ? maxGas : Number(given);
    if (gas < minGas) throw rpcError.failedSimulation(`gas field must be greater than or equal to ${minGas}`);
    return { ...input, contractSends: true, callsMissing: true, gas, paysValue: false };
  }

  function toError(answer: CallAnswer | TraceAnswer): Error {
    switch (answer.kind) {
      case 'finished':
        return ofRun(answer.run);
      case 'noBlock':
        return rpcError.failedSimulation('Unknown block number');
      case 'throttled':
        return rpcError.throttled(throttled[answer.by]);
      case 'unknownCode':
        return rpcError.notFound('The ledger does not hold the code that ran');
      case 'notSupported':
        return rpcError.notSimulated(refuseUnended(answer, limits).messages[0]!);
      case 'noSender':
      case 'noContract':
      case 'stopped':
        return ofRefusal(answer);
      case 'estimated':
      case 'traced':
      case 'tracedCalls':
      case 'notRun':
        return new Error(`A question to a contract ended as ${answer.kind}`);
    }
  }

  function ofRefusal(answer: Parameters<typeof refuseUnended>[0]): RpcError {
    const { detail, message, text } = refuseUnended(answer, limits).found[0]!.data ?? {};
    return rpcError.failedSimulation(String(detail ?? message ?? text));
  }
}

/** Others of the same block may be traced all the same. */
function ofTransaction(error: Error): Error {
  return error instanceof RpcError ? new Untraceable(error.code, error.message, error.data) : error;
}

/** Of a simulation, in that of a call: as much as a block of the network has. */
const maxTogether = 10;

/** What it is charged for until it has run. */
function gasOf({ blocks }: Pick<Simulation, 'blocks'>, maxGas: number): number {
  let sum = 0;
  for (const { gas } of blocks.flatMap(({ calls }) => calls))
    sum += Math.max(minGas, Math.min(Number(gas ?? maxGas), maxGas));
  return Math.min(sum, maxTogether * maxGas);
}

const throttled = {
  requests: 'Requests per second rate limit exceeded',
  gas: 'Gas per second rate limit exceeded.',
  filter: 'Invalid request',
};

type Run = Extract<CallAnswer, { kind: 'finished' }>['run'];

/** The reason of a revert, and the statuses of calls of system contracts in it. */
function ofRun(run: Run): RpcError {
  const { status, output, failedChildren } = run;
  const end = nameHalt(run);
  if (end !== null) return rpcError.halted(status, end);
  if (status !== 'CONTRACT_REVERT_EXECUTED') return rpcError.failedSimulation(status);
  const reasons = [readRevertReason(output) || status, ...new Set(failedChildren)];
  return rpcError.reverted(reasons.join(', '), `0x${Buffer.from(output).toString('hex')}`);
}
