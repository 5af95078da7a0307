// Lists as tables. A column says how an item looks, and what it is in a file: one description for both. On a narrow
// screen a row takes two lines, and what has a line below them.
import { html, type Markup, type MarkupValue, toMarkupText, trustedMarkup } from '../../../packages/kit/markup.ts';

export type Column<T> = {
  name: string;
  show(item: T): MarkupValue;
  /** Its place where a narrow screen gives a row two lines. */
  narrow: NarrowPlace;
  /** Whether values are compared by their last digit. */
  isNumber?: boolean;
  /** Most rows have nothing in it: it is left out of a table in which none has. */
  isRare?: boolean;
  /** Where its name stands there, without which a value would say little: `Granted 5`, `5 holders`. Default: nowhere. */
  narrowName?: 'before' | 'behind';
  /** What the column is in a file; default: it is in none. */
  fields?: readonly Field<T>[];
};

/**
 * Upper line: `title`, and `amount` at its end. Lower line: `start`, `to` behind an arrow, `end`. `below`: a line of its
 * own. `none`: left out.
 */
export type NarrowPlace = 'title' | 'amount' | 'start' | 'to' | 'end' | 'below' | 'none';

/** A field of a file: its name in the head, and its exact text for programs: no groups of digits, no unit. */
export type Field<T> = {
  name: string;
  text(item: T): string;
  /** Whether people may have written it: such a text is kept from being read as a formula. */
  isForeign?: boolean;
  /** The entity that it is the id of: those who run the mirror may have a name for it. */
  id?(item: T): bigint | null;
};

type TableOptions = {
  /** What the list is of, for people who cannot see it: `Transactions of 0.0.5`. */
  caption: string;
  /** The sentence for an empty list. */
  none: string;
};

export function table<T>(all: readonly Column<T>[], items: readonly T[], { caption, none }: TableOptions): Markup {
  if (items.length === 0) return html`<p class="none">${none}</p>`;
  const columns = leaveOutEmpty(all, items);
  const { head, starts } = aroundCells(columns);
  let rows = '';
  for (const item of items) {
    rows += '<tr>';
    for (let at = 0; at < columns.length; at++) {
      rows += `${starts[at]}${toMarkupText(columns[at]!.show(item))}</td>`;
    }
    rows += '</tr>\n';
  }
  return html`<div class="table brief"><table>
<caption class="away">${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${trustedMarkup(rows)}</tbody>
</table></div>`;
}

function leaveOutEmpty<T>(columns: readonly Column<T>[], items: readonly T[]): readonly Column<T>[] {
  if (!columns.some(({ isRare }) => isRare)) return columns;
  const isShown = ({ isRare, show }: Column<T>) => !isRare || items.some((item) => toMarkupText(show(item)) !== '');
  return columns.every(isShown) ? columns : columns.filter(isShown);
}

/** Markup of the head, and of the beginning of each cell of a row. */
type AroundCells = { head: Markup; starts: readonly string[] };

/** Most lists have the same columns for as long as the server runs. */
const knownAround = new WeakMap<readonly unknown[], AroundCells>();

function aroundCells<T>(columns: readonly Column<T>[]): AroundCells {
  const known = knownAround.get(columns);
  if (known !== undefined) return known;
  const kinds = columns.map(({ isNumber, narrow }) => html` class="${isNumber ? 'number ' : ''}at-${narrow}"`);
  const around = {
    head: html`${columns.map(({ name }, at) => html`<th scope="col"${kinds[at]!}>${name}</th>`)}`,
    starts: columns.map((column, at) => html`<td${kinds[at]!}${nameAttribute(column)}>`.markup),
  };
  knownAround.set(columns, around);
  return around;
}

function nameAttribute<T>({ name, narrow, narrowName }: Column<T>): Markup | null {
  if (narrowName === undefined || narrow === 'none') return null;
  return narrowName === 'before' ? html` data-before="${name}"` : html` data-behind="${name}"`;
}

/**
 * Links through the pages of a list. `nextQuery`: of the next page, null = this is the last. `start`: of the first one.
 */
export function pager(path: string, nextQuery: string | null, isFirst: boolean, start = path): Markup | null {
  if (nextQuery === null && isFirst) return null;
  const first = isFirst ? null : html`<a href="${start}">First page</a>`;
  const next = nextQuery === null ? null : html`<a href="${`${path}?${nextQuery}`}" rel="next">Next page</a>`;
  return html`<nav class="pager" aria-label="Pages of the list">${first}${next}</nav>`;
}
