// Forms that choose among the items of a list. What they send is turned into the parameters of the endpoint, so that
// the path of what is shown names exactly what its JSON is asked with.

import { html, type Markup } from '../../../packages/kit/markup.ts';
import { findInstant, formatSecond } from '../../../packages/protocol/hapi/timestamp.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';

export type FilterField = {
  /** In the form. */
  name: string;
  label: string;
  /** Texts to choose among, each with the value that is sent; the first one is shown for none. */
  choices?: readonly (readonly [value: string, text: string])[];
  placeholder?: string;
  type?: 'text' | 'datetime-local';
  /** Of the endpoint; default: the same. */
  parameter?: string;
  /** The text of the form → the value of the parameter, and back; null = it says nothing of this field. */
  write?(text: string): string;
  read?(value: string): string | null;
};

type FilteredPage = { path: string; queryText: string };

/** Of the consensus time, from one second to another, both inclusive. */
export const timeFields: readonly FilterField[] = [
  toTimeField({ name: 'from', label: 'From (UTC)', operator: 'gte', fraction: '000000000' }),
  toTimeField({ name: 'until', label: 'Until (UTC)', operator: 'lte', fraction: '999999999' }),
];

/** `path`, `queryText`: of the page that has it. */
export function filterForm({ path, queryText }: FilteredPage, fields: readonly FilterField[]): Markup {
  const query = new URLSearchParams(queryText);
  const inputs = fields.map(
    (field) => html`<label>${field.label} ${formatInput(field, shownValue(field, query))}</label>`,
  );
  const chosen = fields.some((field) => shownValue(field, query) !== '');
  return html`<form class="filters" action="${path}" role="search" aria-label="Choose among the list">${inputs}
<button>Show</button>${chosen ? html` <a href="${path}">Show all</a>` : null}</form>`;
}

/** The query that the endpoint understands; null = it is that already. Throws RequestError. */
export function toEndpointQuery(queryText: string, fields: readonly FilterField[]): string | null {
  const given = new URLSearchParams(queryText);
  const asked = new URLSearchParams();
  let isOther = false;
  for (const [name, text] of given) {
    const field = fields.find((candidate) => candidate.name === name);
    if (field && text.trim() === '') isOther = true;
    else if (field?.write) {
      asked.append(field.parameter ?? name, field.write(text.trim()));
      isOther = true;
    } else asked.append(name, text);
  }
  return isOther ? formatQuery(asked) : null;
}

/** Colons and slashes stay readable. */
export function formatQuery(query: URLSearchParams): string {
  return query.toString().replaceAll('%3A', ':').replaceAll('%2F', '/');
}

function shownValue({ name, parameter = name, read = (value) => value }: FilterField, query: URLSearchParams): string {
  for (const value of query.getAll(parameter)) {
    const text = read(value);
    if (text !== null) return text;
  }
  return '';
}

/** Characters. */
const minSize = 12;

function formatInput({ name, choices, placeholder = '', type = 'text' }: FilterField, value: string): Markup {
  if (!choices) {
    // As wide as what may stand there, at least as an id.
    const size = type === 'text' ? html` size="${Math.max(minSize, placeholder.length)}"` : null;
    // Browsers ask for minutes unless seconds are allowed.
    const step = type === 'text' ? null : html` step="1"`;
    return html`<input name="${name}" type="${type}"${step}${size} value="${value}" placeholder="${placeholder}" maxlength="300" autocomplete="off" spellcheck="false">`;
  }
  const wanted = value.toLowerCase();
  const isListed = value === '' || choices.some(([one]) => one.toLowerCase() === wanted);
  const all = isListed ? choices : [...choices, [value, value] as const];
  const options = all.map(([one, text]) =>
    one.toLowerCase() === wanted
      ? html`<option value="${one}" selected>${text}</option>`
      : html`<option value="${one}">${text}</option>`,
  );
  return html`<select name="${name}">${options}</select>`;
}

type TimeBound = { name: string; label: string; operator: 'gte' | 'lte'; fraction: string };

function toTimeField({ name, label, operator, fraction }: TimeBound): FilterField {
  return {
    ...{ name, label, type: 'datetime-local', parameter: 'timestamp' },
    write(text) {
      const [, minute, second = ':00'] = /^(\d{4}-\d\d-\d\d[T ]\d\d:\d\d)(:\d\d)?$/.exec(text) ?? [];
      const instant = findInstant(`${minute?.replace(' ', 'T')}${second}Z`.replaceAll(':', '_'));
      if (instant === null || instant < 0n) throw refuse('invalidParameter', { name });
      return `${operator}:${instant / 1_000_000_000n}.${fraction}`;
    },
    read(value) {
      const match = new RegExp(`^${operator}:(\\d{1,10})\\.${fraction}$`).exec(value);
      return match ? formatSecond(BigInt(match[1]!) * 1_000_000_000n).slice(0, 19) : null;
    },
  };
}
