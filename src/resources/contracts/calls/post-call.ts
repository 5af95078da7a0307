// POST contracts/call: what a contract answers, or the gas that the call needs; nothing of it happens on the ledger.

import { readRevertReason } from '../../../../packages/abi/revert-reason.ts';
import { type Refusal, RequestError, refuse } from '../../../../packages/web-server/request-error.ts';
import { endpoint } from '../../../api/endpoint/endpoint.ts';
import type { BodyParameter } from '../../../api/reading/query/parameter.ts';
import { hex } from '../../../api/values/kinds.ts';
import { members, value } from '../../../api/values/members.ts';
import type { CallAnswer } from '../../../calls/create-calls.ts';
import type { CallQuestion } from '../../../calls/thread/job.ts';
import { callExamples, callSchema } from './call-schema.ts';
import { callShapes } from './call-shapes.ts';
import { readCall } from './read-call.ts';
import { refuseThrottled } from './refuse-throttled.ts';
import { type CallLimits, refuseUnended } from './refuse-unended.ts';
import { waitForThread } from './wait-for-thread.ts';

const call: BodyParameter<CallQuestion> = {
  kind: 'call',
  description:
    'What is called: `to` with `data`, `from` somebody, with `value` in tinybar and at most `gas`; without `to` a contract is created. `block` says after which block: a number, a hash, `earliest` or `latest`. With `estimate` the answer is gas. `state_overrides`: balances, nonces, code and storage that the ledger does not have.',
  mediaTypes: ['application/json'],
  schema: callSchema,
  examples: callExamples,
  // A million hex digits, and overrides.
  maxBytes: 4 * 2 ** 20,
  read: readCall,
};

export const postCall = endpoint({
  path: '/api/v1/contracts/call',
  id: 'callContract',
  tag: 'Contracts',
  summary: 'What a contract answers',
  description:
    'Runs the contract on the state of the ledger, now or after any block, and changes nothing. What cannot be foreseen is not answered: 501.',
  body: call,
  shapes: callShapes,
  async ask({ body }, { calls, settings }) {
    return { result: toResult(await waitForThread(calls.ask(body)), settings.callLimits) };
  },
  answer: members(
    { result: value(hex, 'What was returned; with `estimate` the gas; of a creation the code.') },
    { name: 'CallResult' },
  ),
  fresh: null,
});

/** Throws RequestError. */
function toResult(answer: CallAnswer, limits: CallLimits): Uint8Array {
  switch (answer.kind) {
    case 'estimated':
      return toBytes(answer.gas);
    case 'finished':
      if (answer.run.status === 'SUCCESS') return answer.run.output;
      throw new RequestError(toRefusals(answer.run));
    case 'noBlock':
      throw refuse('invalidCall', { text: 'Unknown block number' });
    case 'throttled':
      throw refuseThrottled(answer);
    case 'traced':
    case 'tracedCalls':
      throw new Error('A call was traced.');
    default:
      throw refuseUnended(answer, limits);
  }
}

type Run = Extract<CallAnswer, { kind: 'finished' }>['run'];

/** The first is about the call, the others about calls of system contracts in it. */
function toRefusals({ status, output, isBelowIntrinsic, failedChildren }: Run): Refusal[] {
  const isReverted = status === 'CONTRACT_REVERT_EXECUTED';
  const neverBegan = isBelowIntrinsic || status === 'INSUFFICIENT_PAYER_BALANCE';
  const first: Refusal = {
    code: 'callFailed',
    data: {
      message: status,
      detail: isReverted ? readRevertReason(output) : '',
      data: neverBegan ? '' : `0x${Buffer.from(output).toString('hex')}`,
    },
  };
  const others = [...new Set(failedChildren)].map((message): Refusal => ({ code: 'callFailed', data: { message } }));
  return [first, ...others];
}

/** An even number of digits. */
function toBytes(gas: number): Uint8Array {
  const digits = gas.toString(16);
  return Buffer.from(digits.length % 2 === 1 ? `0${digits}` : digits, 'hex');
}
