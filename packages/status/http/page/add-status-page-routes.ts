// Everything under `/status` for people and feed readers. Each answer is made from the state in memory, so that it
// works when everything else is down.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { favicon } from '../../../kit/favicon.ts';
import { html } from '../../../kit/markup.ts';
import { type Operation, operation } from '../../../web-server/operation.ts';
import type { Answer } from '../../../web-server/route.ts';
import { writeAnswer } from '../../../web-server/write-answer.ts';
import type { StatusState } from '../../status-state.ts';
import { formatComponentPage } from './component-page.ts';
import { formatAtomFeed, formatRssFeed } from './feeds.ts';
import { formatHistoryPage } from './history-page.ts';
import { formatIncidentPage } from './incident-page.ts';
import { formatMaintenanceCalendar } from './maintenance-calendar.ts';
import { formatOverviewPage } from './overview-page.ts';
import { formatPage } from './page-frame.ts';
import { createRenderedAnswers } from './rendered-answers.ts';
import { formatStatusBadge } from './status-badge.ts';
import { type StatusView, toStatusView } from './status-view.ts';

export type StatusPageContext = {
  state(): StatusState;
  /** ms since 1970 */
  clock(): number;
};

type Request = FastifyRequest<{ Params: { name?: string }; Querystring: { refresh?: string } }>;

/** A body, or null if there is nothing of that name. */
type Format = (view: StatusView, name: string) => string | null;

const contentType = 'text/html; charset=utf-8';
const svg = 'image/svg+xml';

type StatusPage = { url: string; contentType: string; format: Format; describe?(): Operation };

export const statusPages: readonly StatusPage[] = [
  page('/status', formatOverviewPage, { id: 'statusPage', summary: 'The status page for people' }),
  page('/status/history', (view) => formatHistoryPage(view), {
    id: 'statusHistory',
    summary: 'Incidents and maintenances by month',
  }),
  page('/status/history/:name', formatHistoryPage),
  page('/status/incidents/:name', formatNamedIncident),
  page('/status/components/:name', formatNamedComponent),
  file('/status/history.atom', 'application/atom+xml', formatAtomFeed, {
    id: 'statusAtom',
    summary: 'The same as an Atom feed',
  }),
  file('/status/history.rss', 'application/rss+xml', formatRssFeed, {
    id: 'statusRss',
    summary: 'The same as an RSS feed',
  }),
  file('/status/maintenance.ics', 'text/calendar', formatMaintenanceCalendar, {
    id: 'statusCalendar',
    summary: 'Maintenances as a calendar',
  }),
  file('/status/badge.svg', svg, (view) => formatStatusBadge(view), {
    id: 'statusBadge',
    summary: 'The status as an image',
  }),
  file('/status/badge/:name', svg, formatNamedBadge),
  file('/status/icon.svg', svg, () => favicon),
];

/** Where Statuspage has its feeds: readers ask there. */
export const statusRedirects: ReadonlyMap<string, string> = new Map([
  ['/history.atom', '/status/history.atom'],
  ['/history.rss', '/status/history.rss'],
]);

/** Of the API document. */
type Named = { id: string; summary: string };

function page(url: string, format: Format, named?: Named): StatusPage {
  return file(url, 'text/html', format, named);
}

function file(url: string, type: string, format: Format, named?: Named): StatusPage {
  return {
    url,
    contentType: `${type}; charset=utf-8`,
    format,
    ...(named && { describe: () => operation('Status', named.id, named.summary, { type }) }),
  };
}

const cacheControl = 'public, max-age=15, stale-if-error=3600';

export function addStatusPageRoutes(app: FastifyInstance, { state, clock }: StatusPageContext): void {
  const answers = createRenderedAnswers(state);
  for (const { url, contentType: type, format } of statusPages) {
    app.get(url, async (request: Request, reply: FastifyReply) => {
      const name = request.params.name ?? '';
      const answer = answers.find(`${url} ${name}`, (shown) => {
        const body = format(toStatusView(shown, clock()), name);
        return body === null ? null : { status: 200, body, contentType: type, cacheControl };
      });
      // Only on request: a reloading page hinders slow readers.
      if (/^[1-9]\d{1,3}$/.test(request.query.refresh ?? '')) reply.raw.setHeader('Refresh', request.query.refresh!);
      await writeAnswer(request, reply, answer ?? findMissing());
    });
  }

  for (const [asked, url] of statusRedirects) app.get(asked, (_request, reply) => reply.redirect(url, 301));

  function findMissing(): Answer {
    return answers.find('missing', (shown) => {
      const body = formatPage(toStatusView(shown, clock()), 'Not found', missingPage);
      return { status: 404, body, contentType, cacheControl: 'no-cache' };
    })!;
  }
}

const missingPage = html`<h1>There is no such page</h1>
<p>Incidents and maintenances are listed in the <a href="/status/history">history</a>; how everything is now is on the <a href="/status">status page</a>.</p>`;

function formatNamedIncident(view: StatusView, id: string): string | null {
  const incident = view.history.find((each) => each.id === id);
  return incident ? formatIncidentPage(view, incident) : null;
}

function formatNamedComponent(view: StatusView, id: string): string | null {
  const component = view.components.find((each) => each.id === id);
  return component ? formatComponentPage(view, component) : null;
}

/** `<component id>.svg` */
function formatNamedBadge(view: StatusView, file: string): string | null {
  const component = view.components.find(({ id }) => `${id}.svg` === file);
  return component ? formatStatusBadge(view, component) : null;
}
