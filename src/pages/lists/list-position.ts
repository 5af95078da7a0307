// Where a page of a list begins. The query of a page says it as the query of the endpoint does: `timestamp=lt:…`. With
// `page=previous` it means the page before that one: the endpoint is asked from there in the other order, and what it
// finds is shown turned around.
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import type { Endpoint } from '../../api/endpoint/endpoint.ts';
import type { Order } from '../../api/reading/page/page.ts';

/** By which parameters of the query pages of a list begin. */
export type PageKeys = Pick<Endpoint, 'next' | 'position'>;

export type SplitQuery = {
  /** Without position: which list it is. */
  chosen: readonly string[];
  position: readonly string[];
  /** Whether the page before is meant. */
  isPrevious: boolean;
};

const previousPage = 'page=previous';

export function splitQuery(queryText: string, keys: PageKeys): SplitQuery {
  const parts = queryText.split('&').filter((part) => part !== '');
  const isPosition = (part: string): boolean => {
    const { name, operator } = readPart(part);
    if (name === keys.position) return true;
    if (!keys.next.includes(name) || operator === null) return false;
    // Of one key these are what the reader chose.
    return keys.next.length > 1 || !operator.endsWith('e');
  };
  const ofList = parts.filter((part) => part !== previousPage);
  return {
    chosen: ofList.filter((part) => !isPosition(part)),
    position: ofList.filter(isPosition),
    isPrevious: ofList.length < parts.length,
  };
}

/** The position of the page before, for the other order; null = bounds cannot express it. */
export function turnPosition({ position }: SplitQuery, keys: PageKeys): string[] | null {
  if (position.length === 0 || keys.position !== undefined) return null;
  return position.map((part) => {
    const { name, operator, text } = readPart(part);
    return `${name}=${operator!.startsWith('l') ? 'gte' : 'lte'}:${text}`;
  });
}

/** The position after which nothing but what `asked` follows, an answer in the other order; null: it has none. */
export function turnBack(asked: string, keys: PageKeys): string[] | null {
  const turned = splitQuery(asked, keys).position.map((part) => {
    const { name, operator, text } = readPart(part);
    const isUpward = operator!.startsWith('g');
    if (operator!.endsWith('e')) return `${name}=${isUpward ? 'lte' : 'gte'}:${text}`;
    const next = stepKey(name, text, isUpward ? 1n : -1n);
    return next === null ? null : `${name}=${isUpward ? 'lt' : 'gt'}:${next}`;
  });
  return turned.length > 0 && turned.every((part) => part !== null) ? turned : null;
}

/** Query of the page before the one that begins there. */
export function toPrevious(chosen: readonly string[], position: readonly string[]): string {
  return [...chosen, ...position, previousPage].join('&');
}

/** Position of the page that begins with `key` in this order. */
export function positionAt(name: string, key: bigint, order: Order): string {
  const bound = order === 'desc' ? key + 1n : key - 1n;
  return `${name}=${order === 'desc' ? 'lt' : 'gt'}:${name === 'timestamp' ? formatTimestamp(bound) : bound}`;
}

/** The order in which a page shows its list. */
export function orderOf(chosen: readonly string[], usual: Order): Order {
  const said = chosen.map(readPart).findLast(({ name }) => name === 'order');
  return said?.text.toLowerCase() === 'asc' ? 'asc' : said?.text.toLowerCase() === 'desc' ? 'desc' : usual;
}

export const otherOrder = (order: Order): Order => (order === 'asc' ? 'desc' : 'asc');

/** The key beside it: of a time in ns, an id by its number, a word of the machine, or a number; null = none of these. */
function stepKey(name: string, text: string, by: 1n | -1n): string | null {
  if (name === 'timestamp') {
    const [, seconds, fraction = ''] = /^(\d{1,10})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
    return seconds === undefined ? null : formatTimestamp(BigInt(seconds + fraction.padEnd(9, '0')) + by);
  }
  if (/^0x[0-9a-f]+$/i.test(text)) {
    const stepped = BigInt(text) + by;
    return stepped < 0n ? null : `0x${stepped.toString(16).padStart(text.length - 2, '0')}`;
  }
  const [, before, number] = /^((?:\d+\.){0,2})(-?\d+)$/.exec(text) ?? [];
  return number === undefined ? null : `${before}${BigInt(number) + by}`;
}

/** `operator`: null = the value has none. */
function readPart(part: string): { name: string; operator: string | null; text: string } {
  const decoded = decodePart(part);
  const cut = decoded.indexOf('=');
  const name = cut < 0 ? decoded : decoded.slice(0, cut);
  const value = cut < 0 ? '' : decoded.slice(cut + 1);
  const [, operator = null, text = value] = /^([lg]te?):(.*)$/s.exec(value) ?? [];
  return { name, operator, text };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    // Such a query is refused by the endpoint.
    if (error instanceof URIError) return part;
    throw error;
  }
}
