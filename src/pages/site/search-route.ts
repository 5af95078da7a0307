// `/search?q=…`: from an id, number, address, hash, key, alias or name to its page, or to a page of all possible
// meanings. Works without scripts. A program that asks for JSON is sent to the endpoint instead.

import type { FastifyInstance } from 'fastify';
import type { Admission } from '../../../packages/web-server/admission.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';
import type { Responder } from '../../../packages/web-server/responder.ts';
import type { Answer } from '../../../packages/web-server/route.ts';
import { maxNamedTokens, type SearchTarget } from '../../ledger/search/search.ts';
import { htmlAnswer } from '../add-pages.ts';
import type { PageSite } from '../frame/page-frame.ts';
import { htmlType } from '../frame/refusal-page.ts';
import type { PageContext } from '../page/page-context.ts';
import { findHits, withoutRepeats } from './find-hits.ts';
import { readSearchTerms } from './read-search-term.ts';
import { type SearchHit, toSearchHit } from './search-hit.ts';
import { formatSearchPage } from './search-page.ts';
import { readAccept } from './service-index.ts';

const maxSearchLength = 300;
/** Characters of a part of a name that can be searched. */
const minPart = 3;
const maxSimilar = 20;
/** Of a text that can only be a name. */
const kindsOfNames: readonly string[] = ['tokenName', 'tokenSymbol'];

export type SearchContext = { context: PageContext; admission: Admission; clientOf: ClientOf; site: PageSite };

export function addSearchRoute(app: FastifyInstance, context: SearchContext, responder: Responder): void {
  const { admission, clientOf } = context;
  const search = createSearch(context);
  app.get('/search', (request, reply) => {
    const isProgram = readAccept(request.headers.accept) === 'json';
    const find = async () => ({ ...(await search(readSearchText(request.raw.url), isProgram)), vary: 'Accept' });
    void responder.respond(request, reply, () => admission.run(clientOf(request.raw), find));
  });
}

/** The first `q` of a request's query. */
export function readSearchText(url = ''): string {
  const mark = url.indexOf('?');
  return mark < 0 ? '' : (new URLSearchParams(url.slice(mark + 1)).get('q') ?? '');
}

/** `isProgram`: whether it asks for JSON. */
type Search = (text: string, isProgram: boolean) => Promise<Answer>;

function createSearch({ context, site }: SearchContext): Search {
  const page = (status: number, text: string, message: string | null, hits: readonly SearchHit[] = []): Answer =>
    htmlAnswer(formatSearchPage(site, { text, message, hits }), status);
  /** Tokens with a beginning or an end of the text in their names: what was mistyped is in one of them. */
  async function findSimilar(text: string): Promise<SearchHit[]> {
    const { ledger, links, settings } = context;
    if (readSearchTerms(text, settings.system).some(({ kind }) => !kindsOfNames.includes(kind))) return [];
    const half = Math.ceil(text.length / 2);
    const parts = half < minPart ? [] : [text.slice(0, half), text.slice(-half)];
    const terms = parts
      .flatMap((part) => readSearchTerms(part, settings.system))
      .filter(({ kind }) => kind === 'tokenName');
    const found = (await Promise.all(terms.map((term) => ledger.search(term)))).flat();
    return withoutRepeats(found.map((target) => toSearchHit(target, links))).slice(0, maxSimilar);
  }

  return async (given, isProgram) => {
    const text = given.trim();
    if (text === '') return page(200, text, null);
    const found = text.length <= maxSearchLength ? await findHits(text, context) : null;
    if (found === null) return page(400, text, 'This has none of the forms that are known here.');
    const { targets, hits } = found;
    const [hit] = hits;
    if (!hit) {
      const similar = await findSimilar(text);
      const end = similar.length > 0 ? ' Names that are similar:' : '';
      return page(404, text, `Nothing of this name is kept here.${end}`, similar);
    }
    if (hits.length > 1) return page(200, text, sentenceOf(targets, hits.length), hits);
    const location = isProgram ? hit.json : hit.isItself ? hit.page : null;
    if (location !== null) return { status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType };
    const what = `It is a ${hit.kind.toLowerCase()}`;
    if (isProgram || hit.page === null) return page(404, text, `${what}; no endpoint of this server shows those.`);
    return page(200, text, `${what}, which has no page of its own.`, hits);
  };
}

function sentenceOf(targets: readonly SearchTarget[], count: number): string {
  const isCut = ['token', 'contractToken'].some(
    (kind) => targets.filter((target) => target.kind === kind).length >= maxNamedTokens,
  );
  return `This may mean ${count} things${isCut ? '; there may be more tokens of this name' : ''}.`;
}
