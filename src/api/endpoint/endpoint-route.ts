// An endpoint as the function that answers requests: its question is asked, and what was found is written.

import type { Route } from '../../../packages/web-server/route.ts';
import type { RouteContext } from '../reading/query/context.ts';
import { dialectOf, type Endpoint, formatCacheControl, toServed } from './endpoint.ts';
import { createEndpointQuestion } from './endpoint-question.ts';

export function createEndpointRoute(given: Endpoint, shared: RouteContext): Route {
  const dialect = dialectOf(given, shared.dialect);
  const endpoint = toServed(given, dialect);
  const context = { ...shared, dialect };
  const question = createEndpointQuestion(endpoint, context);
  const writer = endpoint.answer(context);
  const hasPages = endpoint.next.length > 0;

  return async (request) => {
    const reply = await question.ask(request);
    const { asked, found } = reply;
    const link = hasPages ? question.linkToNext(reply) : null;
    const plainText = endpoint.plainText?.(found) ?? null;
    const paths = { typed: request.path, endpoint: endpoint.path };
    const fresh = endpoint.fresh(found, context);
    const maxAge = fresh === null ? null : dialect.toMaxAge(fresh, paths);
    return {
      status: endpoint.status?.(found) ?? 200,
      ...(plainText === null ? {} : { contentType: 'text/plain;charset=UTF-8' }),
      ...(endpoint.sent?.(found) ?? {
        body: plainText ?? writer.write(hasPages ? { ...found, link } : found),
      }),
      ...(maxAge === null ? {} : { cacheControl: formatCacheControl(maxAge) }),
      next: link,
      ...(maxAge === null || endpoint.kept === false
        ? {}
        : { keep: { maxAge, settledBy: endpoint.settledBy?.(asked, found, context) ?? null } }),
    };
  };
}
