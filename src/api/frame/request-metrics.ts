// Counts, durations and sizes of answers per route, as Prometheus metrics, and how those of the API ended for each
// client.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { createDurationHistogram, type DurationSeries } from '../../../packages/kit/duration-histogram.ts';
import type { ClientOutcomes } from '../../../packages/kit/shares/client-outcomes.ts';
import type { ClientOf } from '../../../packages/web-server/client-of.ts';

/** Present with 0 for each route from the start: a rate misses the first increment of a new counter. */
const countedFromStart = [200, 500, 503];
const servedMethods = ['GET', 'POST'];

type RouteCounts = { method: string; route: string; answers: Map<number, number>; bodyBytes: number };

/** Of each client's requests to the API; null = it is not requested. */
export type RequestOutcomes = { outcomes: ClientOutcomes; clientOf: ClientOf } | null;

/** To be called before any route is added. */
export function addRequestMetrics(app: FastifyInstance, registry: Registry, ends: RequestOutcomes = null): void {
  const all: RouteCounts[] = [];
  app.decorateReply('bodyBytes', 0);
  app.decorateReply('ended', null);
  app.decorateReply('refusedAs', null);
  new Counter({
    name: 'http_response_body_bytes_total',
    help: 'Bytes of the bodies of answers as they were sent, by method and route.',
    labelNames: ['method', 'route'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, route, bodyBytes } of all) this.inc({ method, route }, bodyBytes);
    },
  });
  new Counter({
    name: 'http_requests_total',
    help: 'Requests answered, by method, route and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { method, route, answers } of all) {
        for (const [status, count] of answers) this.inc({ method, route, status }, count);
      }
    },
  });
  const durations = createDurationHistogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer, by method and route.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registry,
  });

  function countRoute(route: string, methods: readonly string[] = []) {
    const isOfApi = route.startsWith('/api/v1/');
    // And by the dialect of the prefix or port.
    const byMethod = new Map<string, RouteCounts & { duration?: DurationSeries }>();
    const add = (key: string, method: string, name: string): RouteCounts & { duration?: DurationSeries } => {
      const answers = new Map(countedFromStart.map((status) => [status, 0]));
      const series = { method, route: name, answers, bodyBytes: 0 };
      byMethod.set(key, series);
      all.push(series);
      return series;
    };
    for (const method of methods) add(method, method, route);
    return (request: FastifyRequest, reply: FastifyReply): void => {
      const { method, raw } = request;
      const { askedDialect } = raw;
      const isPrefixed = askedDialect !== undefined && isOfApi;
      const key = isPrefixed ? `${askedDialect} ${method}` : method;
      const series = byMethod.get(key) ?? add(key, method, isPrefixed ? `/${askedDialect}${route}` : route);
      series.duration ??= durations.addSeries({ method, route: series.route });
      // For HEAD only the head was sent.
      if (method !== 'HEAD') series.bodyBytes += reply.bodyBytes || lengthSaidBy(reply);
      const status = reply.raw.statusCode;
      series.answers.set(status, (series.answers.get(status) ?? 0) + 1);
      const durationMs = reply.elapsedTime;
      series.duration.observe(durationMs / 1000);
      if (isOfApi && ends && reply.ended) ends.outcomes.note(ends.clientOf(raw), reply.ended, durationMs);
    };
  }

  // Each route gets its own hook: looking up a request's route costs more than counting.
  app.addHook('onRoute', (route) => {
    const count = countRoute(
      route.url,
      [route.method].flat().filter((method) => servedMethods.includes(method)),
    );
    route.onResponse = [
      ...[route.onResponse ?? []].flat(),
      (request, reply, done) => {
        count(request, reply);
        done();
      },
    ];
  });
  const countUnknown = countRoute('none');
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) countUnknown(request, reply);
    done();
  });
}

/** Bodies that Fastify wrote have a length; 0 without a body. */
function lengthSaidBy(reply: FastifyReply): number {
  return Number(reply.getHeader('content-length') ?? 0);
}
