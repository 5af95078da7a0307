// Refusals of runs that did not begin, or did not come to an end.

import { type RequestError, refuse } from '../../../../packages/web-server/request-error.ts';
import type { Outcome } from '../../../calls/thread/job.ts';

export type CallLimits = { timeMs: number; memory: number; reads: number };

export type Unended = Extract<Outcome, { kind: 'noSender' | 'noContract' | 'stopped' | 'notSupported' }>;

export function refuseUnended(answer: Unended, limits: CallLimits): RequestError {
  switch (answer.kind) {
    case 'noSender':
      return refuse('callFailed', { message: 'PAYER_ACCOUNT_NOT_FOUND', detail: 'Sender account not found.' });
    case 'noContract':
      return refuse('callFailed', { message: 'INVALID_CONTRACT_ID' });
    case 'stopped':
      return refuse('invalidCall', { text: stopped[answer.limit](limits) });
    case 'notSupported': {
      const asker = `0x${answer.asker.toString(16).padStart(40, '0')}`;
      return refuse('notSimulated', { text: `This mirror does not simulate ${answer.called}, which ${asker} called` });
    }
  }
}

const stopped: Record<Extract<Unended, { kind: 'stopped' }>['limit'], (limits: CallLimits) => string> = {
  time: ({ timeMs }) => `The call takes longer than ${timeMs / 1000} seconds`,
  steps: () => 'The call takes more steps than any gas limit pays for',
  memory: ({ memory }) => `The call needs more than ${memory / 2 ** 20} MiB of memory`,
  reads: ({ reads }) => `The call reads more than ${reads} values of the ledger`,
};
