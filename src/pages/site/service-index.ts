// `/` for programs: what this is and its paths, and which clients get that instead of the page.

import { int64, text, timestamp } from '../../api/values/kinds.ts';
import { members, nullable, value } from '../../api/values/members.ts';
import type { LedgerExamples } from '../../ledger/ledger-examples.ts';

export type ServiceIndex = {
  networkName: string;
  block: LedgerExamples['block'];
  /** Whether this port serves the status page, too. */
  hasStatus: boolean;
};

const block = members<NonNullable<ServiceIndex['block']>>({
  number: value(int64, ({ number }) => number),
  timestamp: value(timestamp, ({ consensusEnd }) => consensusEnd),
});

const links = members<ServiceIndex>({
  api: value(text, () => '/api/v1'),
  documentation: value(text, () => '/docs'),
  openapi: value(text, () => '/api/v1/docs/openapi.json'),
  readiness: value(text, () => '/health/readiness'),
  status: nullable(text, ({ hasStatus }) => (hasStatus ? '/api/v2/summary.json' : null)),
});

const index = members<ServiceIndex>({
  name: value(text, () => 'Ledger Mirror'),
  network: value(text, ({ networkName }) => networkName),
  latest_block: nullable(block, (found) => found.block ?? null),
  links: value(links, (found) => found),
});

export function formatServiceIndex(found: ServiceIndex): string {
  return index.write(found);
}

export type Wanted = 'page' | 'json' | 'any';

/** Which of the two an `Accept` header names; one that names neither, such as curl's, accepts any. */
export function readAccept(accept = ''): Wanted {
  const weights = { page: 0, json: 0 };
  for (const range of accept.toLowerCase().split(',')) {
    const [type, ...parameters] = range.split(';').map((part) => part.trim());
    const wanted = kinds.get(type!);
    if (!wanted) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    weights[wanted] = Math.max(weights[wanted], quality === undefined ? 1 : Number(quality) || 0);
  }
  if (weights.page === 0 && weights.json === 0) return 'any';
  return weights.json > weights.page ? 'json' : 'page';
}

const kinds: ReadonlyMap<string, 'page' | 'json'> = new Map([
  ['text/html', 'page'],
  ['application/xhtml+xml', 'page'],
  ['application/json', 'json'],
]);
