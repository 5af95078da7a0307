// Everything under `/status` for people and feed readers. Each answer is made from the state in memory, so that it works when
// everything else is down.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { favicon } from '../../../kit/favicon.ts';
import { html } from '../../../kit/markup.ts';
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
const svg = 'image/svg+xml; charset=utf-8';

const pages: [url: string, contentType: string, format: Format][] = [
  ['/status', contentType, formatOverviewPage],
  ['/status/history', contentType, (view) => formatHistoryPage(view)],
  ['/status/history/:name', contentType, formatHistoryPage],
  ['/status/incidents/:name', contentType, formatNamedIncident],
  ['/status/components/:name', contentType, formatNamedComponent],
  ['/status/history.atom', 'application/atom+xml; charset=utf-8', formatAtomFeed],
  ['/status/history.rss', 'application/rss+xml; charset=utf-8', formatRssFeed],
  ['/status/maintenance.ics', 'text/calendar; charset=utf-8', formatMaintenanceCalendar],
  ['/status/badge.svg', svg, (view) => formatStatusBadge(view)],
  ['/status/badge/:name', svg, formatNamedBadge],
  ['/status/icon.svg', svg, () => favicon],
];

const cacheControl = 'public, max-age=15, stale-if-error=3600';

export function addStatusPageRoutes(app: FastifyInstance, { state, clock }: StatusPageContext): void {
  const answers = createRenderedAnswers(state);
  for (const [url, type, format] of pages) {
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
