// `/search?q=…`: from an id, address, hash or alias to its endpoint. Works without scripts.

import type { Ledger } from '../../ledger/ledger.ts';
import type { SearchTarget } from '../../ledger/search/search.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import type { Answer } from '../route.ts';
import { formatTransactionId } from '../values/transaction-id-text.ts';
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
    if (location !== null) return { status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType };
    const noun = target.kind === 'entity' ? target.type.toLowerCase() : target.kind;
    return page(404, text, `It is a ${noun}; no endpoint of this server shows those.`);
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
      return `/api/v1/contracts/results/0x${target.hash.toString('hex', 0, 32)}`;
    case 'transaction':
      return `/api/v1/transactions/${formatTransactionId({ ...target, payerId: target.payerAccountId })}`;
  }
}
