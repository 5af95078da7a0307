// GET contracts/results: a page of results across all contracts. Complaints come in the order that clients know: values
// and names, senders out of range, parameters that do not go together, `hbar`.
import type { ContractResultsQuery } from '../../ledger/contracts/contract-result.ts';
import { findAccount } from '../accounts/account-path.ts';
import { type Refusal, RequestError, refuse } from '../frame/request-error.ts';
import { formatNextLink } from '../parameters/next-link.ts';
import {
  type EntityCondition,
  everyOperator,
  readBlockHash,
  readBlockNumber,
  readEntityId,
  readFlag,
  readLimit,
  readOrder,
  readTimestamp,
  readTransactionIndex,
} from '../parameters/parameter-readers.ts';
import { type ParameterValues, readParameters } from '../parameters/query-parameters.ts';
import { closeTimestampRange } from '../parameters/timestamp-guard.ts';
import { isEmptyRange, toTimestampConditions } from '../parameters/timestamp-range.ts';
import type { ApiRequest, Route, RouteContext } from '../route.ts';
import { formatTimestamp } from '../values/json-text.ts';
import { formatContractResultsBody } from './contract-result-body.ts';

type Values = ParameterValues<ReturnType<typeof readersOf>>;

export function createContractResultsRoute(context: RouteContext): Route {
  const { ledger, dialect, settings } = context;
  const readSender = readEntityId(dialect.forms.sender, settings, dialect.senderOperators);

  return async (request) => {
    const values = readParameters(
      request.query,
      readersOf({ dialect, limitMax: request.limitMax, readSender }),
      settings.maxRepeatedParameters,
    );
    if (values.from.some(({ reference }) => reference.kind === 'outOfRange')) {
      throw refuse('invalidParameter', { name: 'from' });
    }
    checkUsage(values);
    const hbar = readHbar(request, values);
    const sender = await findSenders(values.from, ledger);
    const order = values.order.at(-1) ?? 'desc';
    const limit = values.limit.at(-1) ?? settings.limitDefault;
    const range = toTimestampConditions(values.timestamp);
    const bound = await closeTimestampRange(range, order, context);
    const results = isEmptyRange(bound.conditions)
      ? []
      : await ledger.contractResults({
          sender,
          block: toBlock(values),
          transactionIndexes: [...new Set(values['transaction.index'])],
          internal: values.internal.at(-1)?.value ?? false,
          timestamp: bound.conditions,
          synthetic: settings.syntheticResults,
          order,
          limit,
        });
    const last = results.length === limit ? results.at(-1)!.consensusTimestamp : results.length > 0 ? bound.cut : null;
    const next =
      last === null
        ? null
        : formatNextLink({
            path: request.path,
            query: request.query,
            key: 'timestamp',
            order,
            conditions: values.timestamp.map(({ operator, timestamp }) => ({ operator, value: timestamp })),
            last: { text: formatTimestamp(last), value: last },
            repeatsEqual: dialect.linksRepeatEqual,
          });
    const style = { dialect, hbar, chainId: settings.chainId, authorizationList: settings.delegationAddress };
    return {
      status: 200,
      body: formatContractResultsBody(results, next, style),
      cacheControl: 'public, max-age=10',
      next,
    };
  };
}

const readTimestampOfAny = readTimestamp(everyOperator);

function readersOf({
  dialect,
  limitMax,
  readSender,
}: Pick<RouteContext, 'dialect'> & { limitMax: number; readSender: ReturnType<typeof readEntityId> }) {
  return {
    from: readSender,
    'block.hash': readBlockHash,
    'block.number': readBlockNumber,
    hbar: readFlag,
    internal: readFlag,
    limit: readLimit((requested) => dialect.pageSize(requested, limitMax)),
    order: readOrder,
    timestamp: readTimestampOfAny,
    'transaction.index': readTransactionIndex,
  };
}

function checkUsage(values: Values): void {
  const hash = values['block.hash'].length > 0;
  const number = values['block.number'].length > 0;
  const refusals: Refusal[] = [];
  if (values['transaction.index'].length > 0 && !hash && !number) {
    const text = 'transaction.index requires block.number or block.hash filter to be specified';
    refusals.push({ code: 'invalidUsage', data: { name: 'transaction.index', text } });
  }
  if (hash && number) {
    const text = 'cannot combine block.number and block.hash';
    refusals.push({ code: 'invalidUsage', data: { name: 'block.hash', text } });
  }
  if (refusals.length > 0) throw new RequestError(refusals);
}

/** Takes a bare value, once. */
function readHbar({ query }: ApiRequest, { hbar }: Values): boolean {
  if (hbar.length === 0) return true;
  if (hbar.length > 1 || hbar[0]!.raw.includes(':')) {
    const value = query.find(({ name }) => name === 'hbar')!.values.join(',');
    throw refuse('invalidHbar', { value });
  }
  return hbar[0]!.value;
}

async function findSenders(
  conditions: readonly EntityCondition[],
  ledger: RouteContext['ledger'],
): Promise<ContractResultsQuery['sender']> {
  const equals = new Set<bigint>();
  const others: ContractResultsQuery['sender']['others'] = [];
  for (const { operator, reference } of conditions) {
    // Those that no entity can have were refused before.
    if (reference.kind === 'outOfRange') continue;
    const id = await findAccount(reference, ledger);
    if (operator === 'eq') equals.add(id);
    else others.push({ operator, id });
  }
  return { equals: [...equals], others };
}

function toBlock(values: Values): ContractResultsQuery['block'] {
  const number = values['block.number'].at(-1);
  if (number !== undefined) return { number };
  const hashPrefix = values['block.hash'].at(-1);
  return hashPrefix === undefined ? null : { hashPrefix };
}
