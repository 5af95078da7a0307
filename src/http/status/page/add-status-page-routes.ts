// Everything under `/status` that people and feed readers ask for. Each answer is made from the state at hand, without any
// I/O, so that it comes when all else is down.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { StatusState } from '../../../status/status-state.ts';
import type { Answer } from '../../frame/route.ts';
import { writeAnswer } from '../../frame/write-answer.ts';
import { favicon } from '../../site/landing-page.ts';
import { createRenderedAnswers } from '../rendered-answers.ts';
import { formatAtomFeed } from './atom-feed.ts';
import { formatComponentPage } from './component-page.ts';
import { formatHistoryPage } from './history-page.ts';
import { formatIncidentPage } from './incident-page.ts';
import { formatMaintenanceCalendar } from './maintenance-calendar.ts';
import { formatMissingPage } from './missing-page.ts';
import { formatOverviewPage } from './overview-page.ts';
import { formatRssFeed } from './rss-feed.ts';
import { formatStatusBadge } from './status-badge.ts';
import { type StatusView, toStatusView } from './status-view.ts';

export type StatusPageContext = {
  state(): StatusState;
  /** ms since 1970 */
  clock(): number;
};

type Request = FastifyRequest<{ Params: { name?: string }; Querystring: { refresh?: string } }>;

/** A body, or null where there is nothing of that name. */
type Format = (view: StatusView, name: string) => string | null;

const html = 'text/html; charset=utf-8';
const svg = 'image/svg+xml; charset=utf-8';

const pages: [url: string, contentType: string, format: Format][] = [
  ['/status', html, formatOverviewPage],
  ['/status/history', html, (view) => formatHistoryPage(view)],
  ['/status/history/:name', html, formatHistoryPage],
  ['/status/incidents/:name', html, formatNamedIncident],
  ['/status/components/:name', html, formatNamedComponent],
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
  for (const [url, contentType, format] of pages) {
    app.get(url, async (request: Request, reply: FastifyReply) => {
      const name = request.params.name ?? '';
      const answer = answers.find(`${url} ${name}`, (shown) => {
        const body = format(toStatusView(shown, clock()), name);
        return body === null ? null : { status: 200, body, contentType, cacheControl };
      });
      // Only where it is asked for: a page that loads itself again is a hindrance to those who read slowly.
      if (/^[1-9]\d{1,3}$/.test(request.query.refresh ?? '')) reply.raw.setHeader('Refresh', request.query.refresh!);
      await writeAnswer(request, reply, answer ?? findMissing());
    });
  }

  function findMissing(): Answer {
    return answers.find('missing', (shown) => {
      const body = formatMissingPage(toStatusView(shown, clock()));
      return { status: 404, body, contentType: html, cacheControl: 'no-cache' };
    })!;
  }
}

function formatNamedIncident(view: StatusView, id: string): string | null {
  const incident = [...view.incidents, ...view.maintenances].find((each) => each.id === id);
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
