// `/assets/logos/{name}`: pictures of the labels, which those who run this mirror have given it as files.
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Responder } from '../../../packages/web-server/responder.ts';
import type { Answer } from '../../../packages/web-server/route.ts';
import { type Labels, type Logo, logosByName, logosPath } from '../parts/labels.ts';

export function addLogoRoute(app: FastifyInstance, labels: Labels, responder: Responder): void {
  const answers = new Map([...logosByName(labels)].map(([name, logo]) => [name, toAnswer(logo)]));
  app.get(`${logosPath}/:name`, (request, reply) => {
    void responder.respond(request, reply, async () => {
      const answer = answers.get((request.params as { name: string }).name);
      if (answer === undefined) throw refuse('notFound');
      return answer;
    });
  });
}

/** Answers are texts, or compressed bytes. */
function toAnswer({ bytes, contentType }: Logo): Answer {
  return {
    ...{ status: 200, body: gzipSync(bytes).toString('latin1'), contentType, contentEncoding: 'gzip' },
    ...{ cacheControl: 'public, max-age=31536000, immutable', contentSecurityPolicy: "default-src 'none'; sandbox" },
  };
}
