// What JSON-RPC asks of the machine of contracts, through the threads, limits and throttle that REST has too. Failures
// are errors of JSON-RPC.

import { readRevertReason } from '../../../../packages/abi/revert-reason.ts';
import type { CallAnswer, Calls, TraceAnswer, TraceShown } from '../../../calls/create-calls.ts';
import type { CallQuestion, StateOverride } from '../../../calls/thread/job.ts';
import type { ContractResultDetail } from '../../../ledger/contracts/create-contract-results.ts';
import { type CallLimits, refuseUnended } from '../../../resources/contracts/calls/refuse-unended.ts';
import { waitForThread } from '../../../resources/contracts/calls/wait-for-thread.ts';
import type { StateBlockName } from '../../../store/read/state/select-state-block.ts';
import { type RpcError, rpcError } from '../terms/rpc-error.ts';

/** Addresses as numbers, the value in tinybar. A price of gas is not in it: gas is not paid. */
export type ContractCall = Pick<CallQuestion, 'from' | 'to' | 'data' | 'value'> & {
  /** null = as much as there may be. */
  gas: bigint | null;
};

/** Every question throws RpcError for a call that failed. */
export type Machine = {
  /** What was returned. */
  call(call: ContractCall, at: { block: StateBlockName | null; overrides: StateOverride[] }): Promise<Uint8Array>;
  /** Gas, on the state of now. */
  estimate(call: ContractCall, overrides: StateOverride[]): Promise<number>;
  /** Throws RpcError where enough is traced in this second. */
  enterTrace(): void;
  /** Runs a transaction again: JSON, compressed. */
  trace(result: ContractResultDetail, shown: TraceShown): Promise<Uint8Array>;
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
    async call(call, { block, overrides }) {
      const answer = await ask(call, { estimate: false, block, overrides });
      if (answer.kind === 'finished' && answer.run.status === 'SUCCESS') return answer.run.output;
      throw toError(answer);
    },
    async estimate(call, overrides) {
      const answer = await ask(call, { estimate: true, block: null, overrides });
      if (answer.kind === 'estimated') return answer.gas;
      throw toError(answer);
    },
    enterTrace() {
      if (!traces) throw rpcError.unsupportedMethod();
      if (!calls.mayTrace()) throw rpcError.throttled('Requests per second rate limit exceeded');
    },
    async trace(result, shown) {
      const answer = await waitForThread(calls.trace(result, shown));
      if (answer.kind === 'traced') return answer.body;
      throw toError(answer);
    },
  };

  function ask(
    { gas: given, ...input }: ContractCall,
    more: { estimate: boolean; block: StateBlockName | null; overrides: StateOverride[] },
  ): Promise<CallAnswer> {
    const gas = given === null || given > BigInt(maxGas) ? maxGas : Number(given);
    if (gas < minGas) throw rpcError.failedSimulation(`gas field must be greater than or equal to ${minGas}`);
    return waitForThread(calls.ask({ ...input, gas, paysValue: false, ...more }));
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
      case 'notRun':
        return new Error(`A question to a contract ended as ${answer.kind}`);
    }
  }

  function ofRefusal(answer: Parameters<typeof refuseUnended>[0]): RpcError {
    const { detail, message, text } = refuseUnended(answer, limits).found[0]!.data ?? {};
    return rpcError.failedSimulation(String(detail ?? message ?? text));
  }
}

const throttled = {
  requests: 'Requests per second rate limit exceeded',
  gas: 'Gas per second rate limit exceeded.',
  filter: 'Invalid request',
};

type Run = Extract<CallAnswer, { kind: 'finished' }>['run'];

/** The reason of a revert, and the statuses of calls of system contracts in it. */
function ofRun({ status, output, failedChildren }: Run): RpcError {
  if (status !== 'CONTRACT_REVERT_EXECUTED') return rpcError.failedSimulation(status);
  const reasons = [readRevertReason(output) || status, ...new Set(failedChildren)];
  return rpcError.reverted(reasons.join(', '), `0x${Buffer.from(output).toString('hex')}`);
}
