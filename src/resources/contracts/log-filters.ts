// The filters of lists of contract logs, across all contracts and of one: the parameters, their conflicts, and their
// meaning.

import { anyRange, type Condition, isEmptyRange, type Range, toRange } from '../../../packages/kit/range.ts';
import type { QueryValues } from '../../api/endpoint/endpoint.ts';
import { page } from '../../api/reading/page/page.ts';
import { closeTimestampRange } from '../../api/reading/page/timestamp-guard.ts';
import { type KeyCondition, listKeyConditions, type TwoKeys } from '../../api/reading/page/two-key-page.ts';
import { anyOf, conditions, range } from '../../api/reading/query/conditions.ts';
import type { ReadingContext, RouteContext } from '../../api/reading/query/context.ts';
import type { Query } from '../../api/reading/query/query-string.ts';
import { indexText, timestampText, topicText } from '../../api/reading/value/text-kinds.ts';
import { pageOf } from '../../api/values/page-of.ts';
import type { ContractLogsQuery } from '../../ledger/contracts/create-contract-logs.ts';
import { emptyPage } from '../../ledger/question/page.ts';
import { createListedLogKind } from './contract-log-members.ts';
import { decodeFlag } from './decoded/decode-flag.ts';
import { decodeLogs } from './decoded/decode-items.ts';
import { refuseLongSearch } from './topic-search.ts';

export const logKeys: TwoKeys = { primary: 'timestamp', secondary: 'index', exactTogether: true };

const topic = (position: string) =>
  anyOf(topicText, `The ${position} topic. Several are alternatives; topics of other positions must hold as well.`);

export const logFilters = {
  index: range(indexText, 'Position among the logs of a block, at the times that `timestamp` selects.'),
  ...page({ order: 'desc', by: 'time and position' }),
  timestamp: conditions(
    timestampText,
    'Time or bounds, at most one of each. A search for topics needs an exact time, or both bounds with a limited time between them.',
    toTime,
  ),
  topic0: topic('first'),
  topic1: topic('second'),
  topic2: topic('third'),
  topic3: topic('fourth'),
  decode: decodeFlag,
};

export const createLogsKind = (context: ReadingContext) => pageOf('logs', createListedLogKind(context), 'ContractLogs');

/** Two equal inclusive bounds are an exact time. */
function toTime(given: readonly Condition[]): Range {
  const time = toRange(given);
  if (time.from === null || time.from !== time.to) return time;
  const operators = given.map(({ operator }) => operator).sort();
  return operators.join() === 'gte,lte' ? { ...anyRange, equals: [time.from] } : time;
}

interface LogFilters extends QueryValues<typeof logFilters> {}

/** The conditions on time and position; two equal inclusive bounds are one `eq`. */
export function listLogConditions({ timestamp }: LogFilters, query: Query): readonly KeyCondition[] {
  const given = listKeyConditions(query, logKeys);
  const isAsGiven = timestamp.equals.length === 0 || given.some((one) => isTime(one) && one.operator === 'eq');
  if (isAsGiven) return given;
  return [{ name: logKeys.primary, operator: 'eq' }, ...given.filter((condition) => !isTime(condition))];
}

function isTime({ name }: KeyCondition): boolean {
  return name === logKeys.primary;
}

/** Throws RequestError for a search for topics in too long a time range. */
export function refuseTopics(values: LogFilters, query: Query, { maxTimestampRange }: ReadingContext['settings']) {
  if (topicsOf(values).every((topics) => topics.length === 0)) return;
  refuseLongSearch(listLogConditions(values, query).filter(isTime), values.timestamp, maxTimestampRange);
}

function topicsOf({ topic0, topic1, topic2, topic3 }: LogFilters): string[][] {
  return [topic0, topic1, topic2, topic3];
}

type LogSearch = LogFilters & Pick<ContractLogsQuery, 'contractId' | 'transactionHash'>;

export async function findLogs(search: LogSearch, context: RouteContext) {
  const { timestamp, index, order } = search;
  if (isEmptyRange(timestamp)) return emptyPage;
  const bound = await closeTimestampRange(timestamp, order, context);
  // If the clock is behind the requested logs, it does not bound them.
  const { range: closed, cut } = isEmptyRange(bound.range) ? { range: timestamp, cut: null } : bound;
  const found = await context.ledger.contractLogs.list({
    ...search,
    timestamp: closed,
    // A bound on the position belongs to the requested bound on the time, not to one that replaced it.
    index: {
      ...index,
      from: timestamp.from === closed.from ? index.from : null,
      to: timestamp.to === closed.to ? index.to : null,
    },
    topics: topicsOf(search).map((topics) => topics.map((digits) => Buffer.from(digits, 'hex'))),
  });
  const items = search.decode ? await decodeLogs(found.items, context.abis) : found.items;
  if (found.next !== null || cut === null || items.length === 0) return { ...found, items };
  // All logs up to the cut were searched.
  return { ...found, items, next: [cut, order === 'desc' ? 0n : maxPosition] };
}

const maxPosition = 2n ** 31n - 1n;
