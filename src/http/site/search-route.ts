// `/search?q=…`: from an id, address, hash or alias to its endpoint. Works without scripts.

import type { Ledger } from '../../ledger/ledger.ts';
import type { SearchTarget } from '../../ledger/search/search.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import { formatTimestamp } from '../../protocol/hapi/timestamp.ts';
import type { SystemRealm } from '../parameters/entity-reference.ts';
import type { Answer } from '../route.ts';
import { readSearchTerm } from './read-search-term.ts';
import { formatSearchPage } from './search-page.ts';
import { sitePolicy } from './site-frame.ts';

export const searchPath = '/search';
const maxSearchLength = 300;

/** The first `q` of a request's query. */
export function readSearchText(url = ''): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : (new URLSearchParams(url.slice(mark + 1)).get('q') ?? '');
}

type Search = (text: string) => Promise<Answer>;

export function createSearch({ ledger, system }: { ledger: Ledger; system: SystemRealm }): Search {
  return async (given) => {
    const text = given.trim();
    if (text === '') return page(200, text, null);
    const term = text.length <= maxSearchLength ? readSearchTerm(text, system) : null;
    if (!term) return page(400, text, 'This has none of the forms that are known here.');
    const target = await ledger.search(term);
    if (!target) return page(404, text, 'Nothing of this name is kept here.');
    const location = locationOf(target);
    if (location) return { status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType };
    return page(404, text, `It is ${nounOf(target)}; no endpoint of this server shows those.`);
  };
}

const htmlType = 'text/html; charset=utf-8';

function page(status: number, text: string, message: string | null): Answer {
  return {
    status,
    body: formatSearchPage({ text, message }),
    contentType: htmlType,
    cacheControl: 'no-cache',
    contentSecurityPolicy: sitePolicy,
  };
}

const collections: Readonly<Record<string, string>> = {
  ACCOUNT: 'accounts',
  CONTRACT: 'contracts',
  TOKEN: 'tokens',
  SCHEDULE: 'schedules',
  TOPIC: 'topics',
};

function locationOf(target: SearchTarget): string | null {
  switch (target.kind) {
    case 'entity': {
      const collection = collections[target.type];
      return collection ? `/api/v1/${collection}/${formatEntityId(target.id)}` : null;
    }
    case 'block':
      return `/api/v1/blocks/${target.number}`;
    case 'contractResult':
      return `/api/v1/contracts/results?timestamp=${formatTimestamp(target.timestamp)}`;
    case 'transaction':
      return `/api/v1/accounts/${formatEntityId(target.payerAccountId)}?timestamp=${formatTimestamp(target.timestamp)}`;
  }
}

function nounOf(target: SearchTarget): string {
  return target.kind === 'entity' ? `a ${target.type.toLowerCase()}` : 'a transaction';
}
