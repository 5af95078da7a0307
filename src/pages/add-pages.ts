// The routes of pages and downloads. A page is made once for all who ask before the next block, as answers of the API
// are.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import { html } from '../../packages/kit/markup.ts';
import { aside } from '../../packages/kit/shares/current-client.ts';
import { createTurns, type Turns } from '../../packages/kit/turns.ts';
import type { BlockWatch } from '../../packages/store/notify/block-watch.ts';
import type { Admission } from '../../packages/web-server/admission.ts';
import type { ClientOf } from '../../packages/web-server/client-of.ts';
import { makeReady, type ReadyAnswer } from '../../packages/web-server/ready-answer.ts';
import { RequestError, refuse } from '../../packages/web-server/request-error.ts';
import type { AnswerForm, Responder } from '../../packages/web-server/responder.ts';
import type { Answer } from '../../packages/web-server/route.ts';
import type { AnswerCache } from '../api/frame/answer-cache.ts';
import { splitTarget } from '../api/frame/asked-dialect.ts';
import { authorize } from '../api/frame/basic-auth.ts';
import type { SharedPages } from '../api/frame/shared-pages.ts';
import { addDownloads } from './downloads/add-downloads.ts';
import { namingWhatIsMissing } from './frame/missing.ts';
import { ofNetwork, type PathOwner, pagesStart } from './frame/network-slug.ts';
import { scriptFile, styleFile } from './frame/page-files.ts';
import { framePage, type PageSite, pagePolicy, policyAllowing } from './frame/page-frame.ts';
import { htmlType, refusalShapes } from './frame/refusal-page.ts';
import { findOtherKind } from './page/other-kind.ts';
import type { Page, PageRequest } from './page/page.ts';
import type { PageContext } from './page/page-context.ts';
import { downloads, pages } from './pages.ts';

export type PagesFrame = {
  responder: Responder;
  shared: SharedPages;
  /** null = answers are not cached. */
  cache: AnswerCache | null;
  admission: Admission;
  clientOf: ClientOf;
  registry: Registry;
  blocks: BlockWatch;
  /** Whether this thread has little time for long work. */
  isBusy(): boolean;
};

/** Pages that wait for others. */
const maxWaiting = 1_000;

/** A page may show the time. */
const maxAgeSeconds = 1;

export function addPages(app: FastifyInstance, context: PageContext, site: PageSite, frame: PagesFrame): void {
  const form: AnswerForm = { shapes: refusalShapes(site), tellsExtent: true, contentSecurityPolicy: pagePolicy };
  for (const { path, body, contentType } of [styleFile, scriptFile]) {
    const cacheControl = 'public, max-age=31536000, immutable';
    frame.shared.add(path, 'program', async () => ({ status: 200, body, contentType, cacheControl }));
  }
  const mirrored = ofNetwork('mirrored');
  // A page takes the thread for longer than most answers do.
  const turns = createTurns({ door: 'pages', maxWaiting, isBusy: frame.isBusy });
  for (const page of pages) {
    const askPage = createAskPage(page, context, site, { ...frame, turns });
    app.get(`${pagesStart}${page.path}`, mirrored, (request, reply) => {
      void frame.responder.respondReady(request, reply, () => askPage(request), form);
    });
  }
  const files = pages.flatMap(({ download }) => download ?? []);
  addDownloads(app, [...files, ...downloads], context, { ...frame, form });
  const answer = (path: string, owner: PathOwner, find: (request: FastifyRequest) => Answer): void => {
    app.get(path, ofNetwork(owner), (request, reply) => {
      void frame.responder.respond(request, reply, async () => find(request), form);
    });
  };
  answer(`${pagesStart}/*`, 'mirrored', () => {
    throw refuse('notFound', { missing: 'No page has this address.' });
  });
  for (const path of [pagesStart, `${pagesStart}/*`]) {
    answer(path, 'public', ({ params }) => formatOtherNetwork(site, (params as { network: string }).network));
    answer(path, 'former', ({ raw }) => redirect(`/${site.slug}${raw.url!.replace(/^\/[^/?]*/, '')}`));
  }
}

function redirect(location: string): Answer {
  return { status: 302, body: '', location, cacheControl: 'no-cache', contentType: htmlType };
}

function createAskPage(
  page: Page,
  context: PageContext,
  site: PageSite,
  { cache, admission, clientOf, turns }: PagesFrame & { turns: Turns },
): (request: FastifyRequest) => Promise<ReadyAnswer> {
  return async (request) => {
    authorize(request.headers.authorization, context.settings);
    const key = `page ${request.raw.url}`;
    const make = async () => makeReady(await toAnswer(toPageRequest(request)));
    const client = clientOf(request.raw);
    const inTurn = (work: () => Promise<ReadyAnswer>) => admission.run(client, () => aside(() => turns.take(work)));
    if (cache === null) return inTurn(make);
    const maxShareMs = maxAgeSeconds * 1000;
    const kept = cache.find(key) ?? cache.join(key, maxShareMs);
    if (kept) return kept;
    const work = async () => ({ answer: await make(), keep: { maxAge: maxAgeSeconds, settledBy: null } });
    // Others share what is being made, and never the wait of the client that asked first.
    return inTurn(async () => cache.find(key) ?? cache.ask(key, maxShareMs, work));
  };

  async function askOrFindOther(request: PageRequest): ReturnType<Page['ask']> {
    try {
      return await page.ask(request, context.ofRequest());
    } catch (error) {
      const isMissing = error instanceof RequestError && error.status === 404;
      const location = isMissing ? await findOtherKind(page, request, context) : null;
      if (location === null) throw namingWhatIsMissing(error, page, request);
      return { location };
    }
  }

  async function toAnswer(request: PageRequest): Promise<Answer> {
    const content = await askOrFindOther(request);
    if ('location' in content) return redirect(content.location);
    if ('text' in content) return textAnswer(content.text);
    const { path } = request;
    const answer = htmlAnswer(framePage(site, { ...content, path }), content.status);
    return content.allows ? { ...answer, contentSecurityPolicy: policyAllowing(content.allows) } : answer;
  }
}

export function htmlAnswer(body: string, status = 200): Answer {
  return { status, body, contentType: htmlType, cacheControl: 'no-cache', contentSecurityPolicy: pagePolicy };
}

function textAnswer(body: string): Answer {
  const contentType = 'text/plain; charset=utf-8';
  return { status: 200, body, contentType, cacheControl: 'no-cache', contentSecurityPolicy: pagePolicy };
}

function toPageRequest({ raw, params }: FastifyRequest): PageRequest {
  const { network: _network, ...ofPage } = params as Record<string, string>;
  return { ...splitTarget(raw.url!), params: ofPage };
}

/** A link to a page of another network. */
function formatOtherNetwork(site: PageSite, other: string): Answer {
  const title = `This is not ${other}`;
  const main = html`<h1>${title}</h1>
<div class="card"><p>This mirror holds the network <strong>${site.networkName}</strong>. Ids and numbers of ${other} mean something else here.</p>
<p><a href="/">To the start of ${site.networkName}</a></p></div>`;
  return htmlAnswer(framePage(site, { title, main }), 404);
}
