// Values for an endpoint's path with which its example finds something, for the page `/api` and the API document.

import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { LedgerExamples } from '../../ledger/ledger-examples.ts';
import type { Endpoint } from './endpoint.ts';

/** By name of the path's parameters; null = nothing like it exists yet. */
export function exampleValues(endpoint: Endpoint, examples: LedgerExamples): Record<string, string> | null {
  const found = endpoint.example?.find?.(examples) ?? null;
  if (found === null) return null;
  const values = [found].flat().map((value) => (typeof value === 'bigint' ? formatEntityId(value) : value));
  return Object.fromEntries(Object.keys(endpoint.in).map((name, index) => [name, values[index]!]));
}
