// GET contracts/results/logs and contracts/{contractIdOrAddress}/results/logs: pages of logs by time and position. The order
// of refusals is the mirror node's: values and names, too long a time range for topics, repeated hashes, conditions on time
// and position that make no page.

import { isEmptyRange, type Range } from '../../../kit/range.ts';
import type { ContractLogsQuery } from '../../../ledger/contracts/create-contract-logs.ts';
import { emptyPage } from '../../../ledger/question/page.ts';
import { endpoint, type QueryValues } from '../../endpoint/endpoint.ts';
import { refuse } from '../../frame/request-error.ts';
import { page } from '../../reading/page/page.ts';
import { type BoundRange, closeTimestampRange } from '../../reading/page/timestamp-guard.ts';
import { type KeyCondition, listKeyConditions, refuseUnpageable, toEnds } from '../../reading/page/two-key-page.ts';
import { anyOf, last, range } from '../../reading/query/conditions.ts';
import type { ReadingContext, RouteContext } from '../../reading/query/context.ts';
import type { QueryParameter } from '../../reading/query/parameter.ts';
import type { Query } from '../../reading/query/query-string.ts';
import { isLookedUp } from '../../reading/value/entity-reference.ts';
import { indexText, timestampText, topicText, transactionHashText } from '../../reading/value/text-kinds.ts';
import { pageOf } from '../../values/page-of.ts';
import { listedLogKind } from './contract-log-members.ts';
import { contractInPath, findContract } from './contract-path.ts';
import { refuseLongSearch } from './topic-search.ts';

const keys = { primary: 'timestamp', secondary: 'index', exactTogether: true };

const time = range(
  timestampText,
  'Time or bounds, one of each at most. A search for topics needs an exact time, or both bounds and not too much time between them.',
);
/** Equal lower and upper bounds are an exact time. */
const timestamp: QueryParameter<Range> = {
  ...time,
  open(context) {
    const { read, collect } = time.open(context);
    return { read, collect: (values, given) => toExact(collect(values, given), values as OnTime[]) };
  },
};

const topic = (position: string) =>
  anyOf(topicText, `The ${position} topic. Several are alternatives; topics of other positions must hold as well.`);

const logsKind = pageOf('logs', listedLogKind, 'ContractLogs');

const filters = {
  index: range(indexText, 'Position among the logs of a block, at the time or times that `timestamp` says.'),
  ...page({ order: 'desc', by: 'time and position' }),
  timestamp,
  topic0: topic('first'),
  topic1: topic('second'),
  topic2: topic('third'),
  topic3: topic('fourth'),
};

export const listContractLogs = endpoint({
  path: '/api/v1/contracts/results/logs',
  id: 'listContractLogs',
  tag: 'Contracts',
  summary: 'Logs of all contracts',
  query: {
    ...filters,
    'transaction.hash': last(
      transactionHashText,
      'Hash of the transaction: its own, or its Ethereum hash. Once at most.',
    ),
  },
  peer: { inOtherCase: 'judged' },
  check(values, query, { settings }) {
    refuseTopics(values, query, settings);
    const conditions = listLogConditions(values, query);
    const place = query.findIndex(({ name }) => name === 'transaction.hash');
    if (place >= 0 && query[place]!.values.length > 1) {
      // After everything that precedes it.
      const before = new Set(query.slice(0, place).map(({ name }) => name));
      toEnds(
        conditions.filter(({ name }) => before.has(name)),
        keys,
      );
      throw refuse('repeatedParameter', { name: 'transaction.hash' });
    }
    refuseUnpageable(conditions, keys);
  },
  several: ({ query }) => query['transaction.hash'] !== null,
  ask: ({ query }, context) =>
    findLogs({ ...query, contractId: null, transactionHash: query['transaction.hash'] }, context),
  next: ['timestamp', 'index'],
  answer: logsKind,
  fresh: 10,
  example: { text: 'the latest logs of contracts' },
});

export const listLogsOfContract = endpoint({
  path: '/api/v1/contracts/{contractIdOrAddress}/results/logs',
  id: 'listLogsOfContract',
  tag: 'Contracts',
  summary: 'Logs of one contract',
  in: { contractIdOrAddress: contractInPath },
  query: filters,
  peer: { inOtherCase: 'same' },
  check(values, query, { dialect, settings }) {
    refuseTopics(values, query, settings);
    if (!dialect.looksUpContractFirst) refuseUnpageable(listLogConditions(values, query), keys);
  },
  several: ({ path }) => isLookedUp(path.contractIdOrAddress),
  async ask({ path, query, given }, context) {
    const contractId = await findContract(path.contractIdOrAddress, context);
    if (contractId === null) return emptyPage;
    refuseUnpageable(listLogConditions(query, given), keys);
    return findLogs({ ...query, contractId, transactionHash: null }, context);
  },
  next: ['timestamp', 'index'],
  answer: logsKind,
  fresh: 1,
  example: {
    text: 'the latest logs of a contract',
    find: ({ contractId }) => contractId,
    missing: 'no contract has been created yet',
  },
});

type LogFilters = QueryValues<typeof filters>;

/** Throws RequestError if the time range is too long for a search for topics. */
function refuseTopics(values: LogFilters, query: Query, { maxTimestampRange }: ReadingContext['settings']): void {
  if (topicsOf(values).every((topics) => topics.length === 0)) return;
  refuseLongSearch(listLogConditions(values, query).filter(isTime), values.timestamp, maxTimestampRange);
}

function topicsOf({ topic0, topic1, topic2, topic3 }: LogFilters): string[][] {
  return [topic0, topic1, topic2, topic3];
}

function listLogConditions({ timestamp }: LogFilters, query: Query): readonly KeyCondition[] {
  const given = listKeyConditions(query, keys);
  const isExact = timestamp.equals.length > 0 && isMoment(given.filter(isTime));
  if (!isExact) return given;
  return [{ name: keys.primary, operator: 'eq' }, ...given.filter((condition) => !isTime(condition))];
}

function isTime({ name }: KeyCondition): boolean {
  return name === keys.primary;
}

type OnTime = Pick<KeyCondition, 'operator'>;

function isMoment(conditions: readonly OnTime[]): boolean {
  const operators = conditions.map(({ operator }) => operator);
  return operators.length === 2 && operators.includes('gte') && operators.includes('lte');
}

function toExact(given: Range, conditions: readonly OnTime[]): Range {
  const { from, to } = given;
  if (from === null || from !== to || !isMoment(conditions)) return given;
  return { from: null, to: null, equals: [from], notEquals: [] };
}

type LogSearch = LogFilters & Pick<ContractLogsQuery, 'contractId' | 'transactionHash'>;

async function findLogs(search: LogSearch, context: RouteContext) {
  if (isEmptyRange(search.timestamp)) return emptyPage;
  const { range: timestamp, cut } = await closeRange(search, context);
  const found = await context.ledger.contractLogs.list({
    ...search,
    timestamp,
    index: withBoundsOf(search.index, search.timestamp, timestamp),
    topics: topicsOf(search).map((topics) => topics.map(toBytes)),
  });
  if (found.next !== null || cut === null || found.items.length === 0) return found;
  // All logs up to the cut were searched.
  return { ...found, next: [cut, search.order === 'desc' ? 0n : maxPosition] };
}

/** A clock that is behind the requested logs does not limit them. */
async function closeRange({ timestamp, order }: LogSearch, context: RouteContext): Promise<BoundRange> {
  const bound = await closeTimestampRange(timestamp, order, context);
  return isEmptyRange(bound.range) ? { range: timestamp, cut: null } : bound;
}

const maxPosition = 2n ** 31n - 1n;

/** A bound on the position belongs to the given bound on the time, not to its replacement. */
function withBoundsOf(index: Range, given: Range, closed: Range): Range {
  return {
    ...index,
    from: given.from === closed.from ? index.from : null,
    to: given.to === closed.to ? index.to : null,
  };
}

function toBytes(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}
