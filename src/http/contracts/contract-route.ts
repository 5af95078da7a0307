// GET contracts/{contractIdOrAddress}: one contract, now or as of a timestamp range. The path's form is judged before the
// query, its meaning after it.

import { refuse } from '../frame/request-error.ts';
import { parseEntityReference } from '../parameters/entity-reference.ts';
import { everyOperator, readTimestamp } from '../parameters/parameter-readers.ts';
import { readParameters } from '../parameters/query-parameters.ts';
import type { Route, RouteContext } from '../route.ts';
import { formatContractBody } from './contract-body.ts';

const readers = { timestamp: readTimestamp(everyOperator) };

export function createContractRoute({ ledger, dialect, settings }: RouteContext): Route {
  return async ({ id, query }) => {
    if (!dialect.forms.contractPath.test(id)) throw refuse('invalidParameter', { name: 'contractid' });
    const { timestamp } = readParameters(query, readers, settings.maxRepeatedParameters);
    const reference = parseEntityReference(id, settings);
    if (reference.kind === 'outOfRange') throw refuse('invalidEntityId', { id: reference.padded });
    const contract = await ledger.contract({ reference, timestamp });
    if (!contract) throw refuse('notFound');
    return { status: 200, body: formatContractBody(contract), cacheControl: 'public, max-age=1' };
  };
}
