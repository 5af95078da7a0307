// What pages ask and link with.

import { type BlockWatch, noBlockWatch } from '../../../packages/store/notify/block-watch.ts';
import type { VerifiedSources } from '../../../packages/verification/verified-sources.ts';
import type { Endpoint, Finds } from '../../api/endpoint/endpoint.ts';
import { dialectOf } from '../../api/endpoint/endpoint.ts';
import { createEndpointQuestion, type EndpointQuestion } from '../../api/endpoint/endpoint-question.ts';
import type { RouteContext } from '../../api/reading/query/context.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { createLinks, type Links, type ShownLabel } from './links.ts';
import { createNewestRate, type NewestRate } from './newest-rate.ts';
import { createOldestNumber, type OldestNumber } from './oldest-number.ts';
import { createTurns, type TakeTurn } from './take-turns.ts';

/** The path of a request to an endpoint, by its parameters, and its query. */
type EndpointRequest = { params?: Readonly<Record<string, string>>; queryText?: string };

type EndpointFound<T> = {
  found: T;
  /** The query of the next page; null = nothing follows. */
  nextQuery: string | null;
};

export type PageContext = Omit<RouteContext, 'dialect'> & {
  readonly networkName: string;
  readonly links: Links;
  /** What was checked of this ledger's contracts; null = nothing is. */
  sources: VerifiedSources | null;
  /** The exchange rate at the newest block. */
  newestRate: NewestRate;
  oldestNumber: OldestNumber;
  /** Whether this port says what is new, as server-sent events. */
  hasFeeds(): boolean;
  /** Asks an endpoint as a request in the dialect `spec` does. Throws RequestError, also if nothing is found. */
  ask<T>(endpoint: Endpoint & Finds<T>, request: EndpointRequest): Promise<EndpointFound<T>>;
  /** Between parts that take long to draw: others go on first. */
  takeTurn: TakeTurn;
  /** For one page: it takes its turn among others once for all that it asks at once. */
  ofRequest(): PageContext;
  /** Everything in `work` is answered as of the same block. */
  snapshot<T>(work: (context: PageContext) => Promise<T>): Promise<T>;
};

export type PageFacts = {
  /** What the network is called now, and in paths. */
  site: { readonly networkName: string; readonly slug: string };
  /** For pages whose paths begin so. Default: none. */
  labels?(start: string): ReadonlyMap<bigint, ShownLabel>;
  sources?: VerifiedSources | null;
  /** Default: without notifications of blocks. */
  blocks?: BlockWatch;
  /** Default: it does not. */
  hasFeeds?(): boolean;
};

/** `route`: with the dialect `spec`. */
export function createPageContext(route: RouteContext, facts: PageFacts): PageContext {
  const { site, labels, sources = null, blocks = noBlockWatch, hasFeeds = () => false } = facts;
  const questions = new Map<Endpoint, EndpointQuestion>();
  const { dialect, ...shared } = route;
  let named = { slug: '', links: createLinks('') };
  const linksOf = (slug: string): Links => {
    if (named.slug !== slug) named = { slug, links: createLinks(slug, labels?.(`/${slug}`)) };
    return named.links;
  };
  const newestRate = createNewestRate(blocks);
  const takeTurn = createTurns();
  const common = {
    ...shared,
    get networkName() {
      return site.networkName;
    },
    get links() {
      return linksOf(site.slug);
    },
    ...{ sources, hasFeeds, newestRate, takeTurn, oldestNumber: createOldestNumber() },
  };
  /** Of the whole server, and one for each page and each snapshot: what all have is behind it. */
  class Own {
    readonly ledger: Ledger;
    readonly ask: PageContext['ask'];
    readonly snapshot: PageContext['snapshot'];
    readonly ofRequest: PageContext['ofRequest'];
    constructor(ledger: Ledger) {
      // Of all that it asks at once.
      let turn: Promise<void> | null = null;
      const goOn = async (): Promise<void> => {
        await takeTurn();
        turn = null;
      };
      this.ledger = ledger;
      this.ask = async <T>(endpoint: Endpoint & Finds<T>, { params = {}, queryText = '' }: EndpointRequest) => {
        const context = { ...route, ledger, dialect: dialectOf(endpoint, dialect) };
        const question = questions.get(endpoint) ?? createEndpointQuestion(endpoint, context);
        questions.set(endpoint, question);
        const request = { path: pathOf(endpoint, params), params, queryText, limitMax: route.settings.limitMax };
        const reply = await question.ask(request, context);
        turn ??= goOn();
        await turn;
        const next = endpoint.next.length > 0 ? question.linkToNext(reply) : null;
        return { found: reply.found as T, nextQuery: next === null ? null : next.slice(next.indexOf('?') + 1) };
      };
      this.snapshot = (work) => ledger.snapshot((inner) => work(over(inner)));
      this.ofRequest = () => over(ledger);
    }
  }
  Object.setPrototypeOf(Own.prototype, common);
  const over = (ledger: Ledger): PageContext => new Own(ledger) as unknown as PageContext;
  return over(route.ledger);
}

function pathOf({ path }: Endpoint, params: Readonly<Record<string, string>>): string {
  return path.includes('{') ? path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '') : path;
}
