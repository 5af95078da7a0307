// GET tokens/{tokenId}: one token, now or as of a timestamp. The path is judged before the query.

import { refuse } from '../frame/request-error.ts';
import { parseEntityReference } from '../parameters/entity-reference.ts';
import { readTimestamp } from '../parameters/parameter-readers.ts';
import { readParameters } from '../parameters/query-parameters.ts';
import type { Route, RouteContext } from '../route.ts';
import { formatTokenBody } from './token-body.ts';

const readers = { timestamp: readTimestamp(['eq', 'lt', 'lte']) };

export function createTokenRoute({ ledger, dialect, settings }: RouteContext): Route {
  return async ({ id, query }) => {
    const reference = dialect.forms.tokenPath.test(id) ? parseEntityReference(id, settings) : null;
    if (reference?.kind !== 'id') throw refuse('invalidParameter', { name: 'tokenid' });
    const { timestamp } = readParameters(query, readers, settings.maxRepeatedParameters);
    const token = await ledger.token({ tokenId: reference.id, at: timestamp.at(-1) ?? null });
    if (!token) throw refuse('notFound');
    return { status: 200, body: formatTokenBody(token), cacheControl: 'public, max-age=5' };
  };
}
