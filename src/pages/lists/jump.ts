// A field that leads into the middle of a list that is ordered by time: to a date, a time or a block. Its answer is the
// page that begins there, so that it has a page before and one after.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { Order } from '../../api/reading/page/page.ts';
import { getBlock } from '../../resources/blocks/get-block.ts';
import { listBlocks } from '../../resources/blocks/list-blocks.ts';
import type { PageContext } from '../page/page-context.ts';
import { type PageKeys, positionAt } from './list-position.ts';

/** Of the field. */
const jumpName = 'to';

export function canJump({ next: [first] }: PageKeys): boolean {
  return first === 'timestamp' || first === 'block.number';
}

/** `chosen`: what the list is, which the form keeps. */
export function jumpForm(path: string, chosen: readonly string[]): Markup {
  const kept = [...new URLSearchParams(chosen.join('&'))].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="jump" action="${path}">${kept}<label>Go to <input name="${jumpName}" placeholder="2026-11-29 14:30, or a block" maxlength="40" autocomplete="off" spellcheck="false" required title="A date, with a time if you like (UTC), or the number of a block"></label><button class="minor">Go</button></form>`;
}

/** What the field was sent with, and the query without it; null = it was not. */
export function readJump(queryText: string): { text: string; rest: string } | null {
  const parts = queryText.split('&');
  const at = parts.findLastIndex((part) => part.startsWith(`${jumpName}=`));
  if (at < 0) return null;
  const text = new URLSearchParams(parts[at]).get(jumpName)!.trim();
  return { text, rest: parts.filter((part) => !part.startsWith(`${jumpName}=`)).join('&') };
}

/** The position of the page that begins there; null = at the beginning of the list. Throws RequestError. */
export async function findJump(
  text: string,
  { next: [name] }: PageKeys,
  { order, context }: { order: Order; context: PageContext },
): Promise<string | null> {
  if (text === '') return null;
  const number = /^\d{1,18}$/.test(text) ? BigInt(text) : null;
  const span = number === null ? readSpan(text) : null;
  if (number === null && span === null) throw refuse('invalidParameter', { name: jumpName });
  if (name === 'block.number') return positionAt(name, number ?? (await findBlockAt(span!, order, context)), order);
  const { from, until } = span ?? (await spanOfBlock(number!, context));
  return positionAt('timestamp', order === 'desc' ? until : from, order);
}

/** ns, both inclusive. */
type Span = { from: bigint; until: bigint };

async function spanOfBlock(number: bigint, { ask }: PageContext): Promise<Span> {
  const { found } = await ask(getBlock, { params: { hashOrNumber: number.toString() } });
  return { from: found.consensusStart, until: found.consensusEnd };
}

/** The newest block until then, or the oldest from then on. */
async function findBlockAt({ from, until }: Span, order: Order, { ask }: PageContext): Promise<bigint> {
  const bound = positionAt('timestamp', order === 'desc' ? until : from, order);
  const { found } = await ask(listBlocks, { queryText: `${bound}&limit=1&order=${order}` });
  const [block] = found.items;
  if (block) return block.number;
  throw refuse('notFound', { missing: `This mirror has no block ${order === 'desc' ? 'until' : 'from'} then.` });
}

const units = [
  // Without a time: the whole day.
  { shape: /^(\d{4}-\d\d-\d\d)$/, seconds: 86_400n, rest: 'T00:00:00Z' },
  { shape: /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)Z?$/i, seconds: 60n, rest: ':00Z' },
  { shape: /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)Z?$/i, seconds: 1n, rest: 'Z' },
];

/** The time that a text names: the day, the minute or the second; null = it names none. */
function readSpan(text: string): Span | null {
  for (const { shape, seconds, rest } of units) {
    const [, named] = shape.exec(text) ?? [];
    const ms = named === undefined ? Number.NaN : Date.parse(`${named.replace(' ', 'T').toUpperCase()}${rest}`);
    if (Number.isNaN(ms)) continue;
    const from = BigInt(ms) * 1_000_000n;
    return { from, until: from + seconds * 1_000_000_000n - 1n };
  }
  const [, whole, fraction = ''] = /^(\d{9,10})\.(\d{1,9})$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const at = BigInt(whole + fraction.padEnd(9, '0'));
  return { from: at, until: at };
}
