// Refusals of calls that a limit or a filter forbids.

import { type RequestError, refuse } from '../../../../packages/web-server/request-error.ts';
import type { Throttled } from '../../../calls/throttle/call-gate.ts';

export function refuseThrottled({ by }: Throttled): RequestError {
  return refuse(by === 'filter' ? 'callFiltered' : 'callThrottled', { text: throttled[by] });
}

const throttled: Record<Throttled['by'], string> = {
  requests: 'Requests per second rate limit exceeded',
  gas: 'Gas per second rate limit exceeded.',
  filter: 'Invalid request',
};
