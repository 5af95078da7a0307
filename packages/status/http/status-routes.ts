// The eight read endpoints of the Statuspage v2 API. Every answer is made from the state in memory: no database, no
// disk.
import type { FastifyInstance } from 'fastify';
import { type Operation, operation } from '../../web-server/operation.ts';
import { writeAnswer } from '../../web-server/write-answer.ts';
import { asOf } from '../shown.ts';
import type { StatusState } from '../status-state.ts';
import { pageBody, type SummaryName, summaryBodies } from '../summary-bodies.ts';
import { createRenderedAnswers } from './page/rendered-answers.ts';

const cacheControl = 'public, max-age=15, stale-if-error=3600';

const summaries: Readonly<Record<SummaryName, string>> = {
  summary: 'Components, open incidents and upcoming maintenances',
  status: 'The overall status only',
  components: 'Every component with its status',
  incidents: 'The newest incidents with their updates',
  'incidents/unresolved': 'Open incidents',
  'scheduled-maintenances': 'The newest maintenances',
  'scheduled-maintenances/upcoming': 'Upcoming maintenances',
  'scheduled-maintenances/active': 'Maintenances in progress',
};

export const summaryRoutes = (Object.keys(summaries) as SummaryName[]).map((name) => ({
  name,
  url: `/api/v2/${name}.json`,
  describe: (): Operation =>
    operation('Status', `status-${name.replace('/', '-')}`, summaries[name], {
      description: 'A body of the Statuspage v2 API.',
    }),
}));

export function addStatusRoutes(app: FastifyInstance, { state }: { state(): StatusState }): void {
  const answers = createRenderedAnswers(state);
  for (const { name, url } of summaryRoutes) {
    const select = summaryBodies[name];
    app.get(url, (request, reply) => {
      const instant = asOf(state());
      // The bodies have no member for it: some readers refuse unknown members.
      if (instant !== null) reply.raw.setHeader('X-Status-As-Of', new Date(instant).toISOString());
      reply.raw.setHeader('Access-Control-Expose-Headers', 'ETag, X-Status-As-Of');
      const answer = answers.find(name, (shown) => ({
        status: 200,
        body: JSON.stringify({ page: pageBody(shown), ...select(shown) }),
        cacheControl,
      }));
      void writeAnswer(request, reply, answer!);
    });
  }
}
