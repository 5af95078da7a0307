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

export function table<T>(columns: readonly Column<T>[], items: readonly T[], { caption, none }: TableOptions): Markup {
  if (items.length === 0) return html`<p class="none">${none}</p>`;
  const kinds = columns.map(({ isNumber, narrow }) => {
    return html` class="${isNumber ? 'number ' : ''}at-${narrow}"`;
  });
  const head = columns.map(({ name }, at) => html`<th scope="col"${kinds[at]!}>${name}</th>`);
  const cells = columns.map((column, at) => ({
    show: column.show,
    start: html`<td${kinds[at]!}${nameAttribute(column)}>`.markup,
  }));
  const rows = items.map((item) => {
    let row = '<tr>';
    for (const { show, start } of cells) row += `${start}${toMarkupText(show(item))}</td>`;
    return `${row}</tr>`;
  });
  return html`<div class="table brief"><table>
<caption class="away">${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${trustedMarkup(rows.join('\n'))}
</tbody>
</table></div>`;
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
