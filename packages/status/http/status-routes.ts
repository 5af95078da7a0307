// The eight read endpoints of the Statuspage v2 API. Every answer is made from the state in memory: no database, no disk.
import type { FastifyInstance } from 'fastify';
import { writeAnswer } from '../../web-server/write-answer.ts';
import { asOf } from '../shown.ts';
import type { StatusState } from '../status-state.ts';
import { pageBody, summaryBodies } from '../summary-bodies.ts';
import { createRenderedAnswers } from './page/rendered-answers.ts';

const cacheControl = 'public, max-age=15, stale-if-error=3600';

export function addStatusRoutes(app: FastifyInstance, { state }: { state(): StatusState }): void {
  const answers = createRenderedAnswers(state);
  for (const [path, select] of Object.entries(summaryBodies)) {
    app.get(`/api/v2/${path}.json`, (request, reply) => {
      const instant = asOf(state());
      // The bodies have no member for it: some readers refuse unknown members.
      if (instant !== null) reply.raw.setHeader('X-Status-As-Of', new Date(instant).toISOString());
      reply.raw.setHeader('Access-Control-Expose-Headers', 'ETag, X-Status-As-Of');
      const answer = answers.find(path, (shown) => ({
        status: 200,
        body: JSON.stringify({ page: pageBody(shown), ...select(shown) }),
        cacheControl,
      }));
      void writeAnswer(request, reply, answer!);
    });
  }
}
