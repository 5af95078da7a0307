// The query of an account's transactions as a form sends it, and as the API takes it: days become times, fields that
// are left empty are no conditions, and the account is named.

import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';

export type OperationsQuery = {
  /** As the API takes it. */
  apiQuery: string;
  /** By name, as typed: for the fields of the form. */
  values: ReadonlyMap<string, string>;
  /** Whether every transaction of the time is listed, so that balances follow from one another. */
  isWhole: boolean;
  /** ns, inclusive and exclusive; null = open. */
  from: bigint | null;
  to: bigint | null;
  order: 'asc' | 'desc';
  /** Of the page behind `last`, a consensus timestamp. */
  nextQuery(last: bigint): string;
};

const nsPerDay = 86_400_000_000_000n;
const filters = ['transactiontype', 'result', 'type'];

/** Throws RequestError. */
export function readOperationsQuery(queryText: string, accountId: bigint): OperationsQuery {
  const given = [...new URLSearchParams(queryText)].filter(([, value]) => value !== '');
  const values = new Map(given);
  const order = values.get('order')?.toLowerCase() === 'asc' ? 'asc' : 'desc';
  const from = readDay(values, 'from');
  const lastDay = readDay(values, 'to');
  const to = lastDay === null ? null : lastDay + nsPerDay;
  const bounds: [string, string][] = [
    ...(from === null ? [] : [['timestamp', `gte:${formatTimestamp(from)}`] as [string, string]]),
    ...(to === null ? [] : [['timestamp', `lt:${formatTimestamp(to)}`] as [string, string]]),
  ];
  const others = given.filter(([name]) => name !== 'from' && name !== 'to' && name !== 'account.id');
  return {
    apiQuery: format([['account.id', formatEntityId(accountId)], ...others, ...bounds]),
    values,
    isWhole: !filters.some((name) => values.has(name)),
    from,
    to,
    order,
    nextQuery(last) {
      const isReplaced = order === 'desc' ? /^lte?:/i : /^gte?:/i;
      const kept = given.filter(([name, value]) => name !== 'timestamp' || !isReplaced.test(value));
      return format([...kept, ['timestamp', `${order === 'desc' ? 'lt' : 'gt'}:${formatTimestamp(last)}`]]);
    },
  };
}

/** The start of a day in UTC, ns; null = not named. */
function readDay(values: ReadonlyMap<string, string>, name: string): bigint | null {
  const text = values.get(name);
  if (text === undefined) return null;
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  // 31 February is none.
  if (day === null || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text) || text < '1970') {
    throw refuse('invalidParameter', { name });
  }
  return BigInt(day.getTime()) * 1_000_000n;
}

function format(parameters: readonly (readonly [string, string])[]): string {
  // Colons of times stay readable.
  return parameters.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':');
}
