// `/search/suggest?q=…`: what a text may mean so far, as a list that the search field shows while it is typed. A few
// queries, each of which reads a few rows, and so many in a second for each client.
import type { FastifyInstance } from 'fastify';
import { html } from '../../../packages/kit/markup.ts';
import { createClientBuckets } from '../../../packages/kit/shares/client-buckets.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Responder } from '../../../packages/web-server/responder.ts';
import type { Answer } from '../../../packages/web-server/route.ts';
import { htmlType } from '../frame/refusal-page.ts';
import { findHits } from './find-hits.ts';
import type { SearchHit } from './search-hit.ts';
import { readSearchText, type SearchContext } from './search-route.ts';

const maxShown = 8;
const length = { min: 2, max: 100 };
/** Requests in a second: a reader types slower. */
const rates = { perClient: 10, all: 200 };

export function addSuggestRoute(
  app: FastifyInstance,
  { context, admission, clientOf }: SearchContext,
  responder: Responder,
): void {
  const buckets = createClientBuckets(rates);
  app.get('/search/suggest', (request, reply) => {
    const client = clientOf(request.raw);
    void responder.respond(request, reply, async () => {
      if (buckets.take(client, 1)) throw refuse('tooManyRequests', { max: rates.perClient, seconds: 1 });
      const text = readSearchText(request.raw.url).trim();
      if (text.length < length.min || text.length > length.max) return toAnswer([]);
      return admission.run(client, async () => toAnswer((await findHits(text, context))?.hits ?? []));
    });
  });
}

function toAnswer(hits: readonly SearchHit[]): Answer {
  const shown = hits.filter(({ page }) => page !== null).slice(0, maxShown);
  const lines = shown.map(
    ({ kind, name, about, page }) =>
      html`<li data-page="${page}"><span class="faint">${kind}</span> <strong>${name}</strong> <span>${about}</span></li>`,
  );
  return {
    status: 200,
    body: html`<ul>${lines}</ul>`.markup,
    contentType: htmlType,
    cacheControl: 'public, max-age=5',
  };
}
