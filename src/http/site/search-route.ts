// `/search?q=…`: from an id, number, address, hash, alias or name to its endpoint, or to a page of all possible meanings.
// Works without scripts.

import type { FastifyInstance } from 'fastify';
import type { Ledger } from '../../ledger/ledger.ts';
import { maxNamedTokens, type SearchTarget } from '../../ledger/search/search.ts';
import { formatEntityId } from '../../protocol/hapi/entity-id.ts';
import type { SystemRealm } from '../../protocol/hapi/system-entity.ts';
import type { Admission } from '../frame/admission.ts';
import type { Responder } from '../frame/responder.ts';
import type { Answer } from '../frame/route.ts';
import { htmlAnswer } from '../pages/add-pages.ts';
import type { PageSite } from '../pages/frame/page-frame.ts';
import { htmlType } from '../pages/frame/refusal-page.ts';
import { formatTransactionId } from '../values/transaction-id-text.ts';
import { readSearchTerms } from './read-search-term.ts';
import { formatSearchPage, type SearchHit } from './search-page.ts';

const maxSearchLength = 300;

type Context = { ledger: Ledger; system: SystemRealm; admission: Admission | null; site: PageSite };

export function addSearchRoute(app: FastifyInstance, context: Context, responder: Responder): void {
  const { admission } = context;
  const search = createSearch(context);
  app.get('/search', (request, reply) => {
    void responder.respond(request, reply, async () => {
      admission?.enter();
      try {
        return await search(readSearchText(request.raw.url));
      } finally {
        admission?.leave(true);
      }
    });
  });
}

/** The first `q` of a request's query. */
function readSearchText(url = ''): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : (new URLSearchParams(url.slice(mark + 1)).get('q') ?? '');
}

type Search = (text: string) => Promise<Answer>;

function createSearch({ ledger, system, site }: Context): Search {
  const page = (status: number, text: string, message: string | null, hits: readonly SearchHit[] = []): Answer =>
    htmlAnswer(formatSearchPage(site, { text, message, hits }), status);
  return async (given) => {
    const text = given.trim();
    if (text === '') return page(200, text, null);
    const terms = text.length <= maxSearchLength ? readSearchTerms(text, system) : [];
    if (terms.length === 0) return page(400, text, 'This has none of the forms that are known here.');
    const targets = withoutRepeats((await Promise.all(terms.map((term) => ledger.search(term)))).flat());
    const [target] = targets;
    if (!target) return page(404, text, 'Nothing of this name is kept here.');
    if (targets.length > 1) return page(200, text, sentenceOf(targets), targets.map(toHit));
    const location = locationOf(target);
    if (location !== null) return { status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType };
    return page(404, text, `It is a ${nounOf(target)}; no endpoint of this server shows those.`);
  };
}

/** A token may be found by its id and by its name. */
function withoutRepeats(targets: readonly SearchTarget[]): SearchTarget[] {
  const places = targets.map(locationOf);
  return targets.filter((_, at) => places[at] === null || places.indexOf(places[at]!) === at);
}

function sentenceOf(targets: readonly SearchTarget[]): string {
  const isCut = targets.filter(({ kind }) => kind === 'token').length === maxNamedTokens;
  return `This may mean ${targets.length} things${isCut ? '; there may be more tokens with this in their name' : ''}.`;
}

function toHit(target: SearchTarget): SearchHit {
  const location = locationOf(target);
  const name = target.kind === 'block' ? target.number : 'id' in target ? formatEntityId(target.id) : '';
  const more = target.kind === 'token' ? `${target.name} (${target.symbol})` : '';
  return { what: `${nounOf(target)} ${name}`, more, location };
}

function nounOf(target: SearchTarget): string {
  if (target.kind === 'entity') return target.type.toLowerCase();
  return target.kind === 'contractResult' ? 'contract result' : target.kind;
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
    case 'token':
      return `/api/v1/tokens/${formatEntityId(target.id)}`;
    case 'block':
      return `/api/v1/blocks/${target.number}`;
    case 'contractResult':
      return `/api/v1/contracts/results/0x${target.hash.toString('hex', 0, 32)}`;
    case 'transaction':
      return `/api/v1/transactions/${formatTransactionId({ ...target, payerId: target.payerAccountId })}`;
  }
}
