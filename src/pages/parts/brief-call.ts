// A call, log or error in a row of a list: its name and its first arguments on a line; in a file all of them as JSON.

import type { DecodedCall, DecodedValue } from '../../../packages/abi/decoded-value.ts';
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatCount } from './amounts.ts';
import { byNameOnly } from './decoded-call.ts';
import { foreignText } from './foreign-text.ts';

const maxName = 60;
const maxShown = 4;
const maxText = 66;

export function briefCall(call: DecodedCall): Markup {
  const shown = call.arguments.slice(0, maxShown).map(briefValue);
  const left = call.arguments.length - shown.length;
  const more = left > 0 ? html`, &hellip; ${left} more` : null;
  const values = shown.length === 0 ? null : html` <span class="arguments">${joinMarkup(shown, ', ')}${more}</span>`;
  return html`<code>${foreignText(call.name, { max: maxName })}</code>${values}${call.isByName ? byNameOnly : null}`;
}

function briefValue({ name, type, value, omitted }: DecodedValue): Markup {
  const shown: MarkupValue =
    typeof value === 'string' ? showText(type, value) : `${value.length + (omitted ?? 0)} values`;
  const named = name === '' ? null : html`${foreignText(name, { max: maxName })} `;
  return html`<span class="argument">${named}<code>${shown}</code></span>`;
}

/** Integers get their groups; addresses, hashes and bytes keep both ends. */
function showText(type: string, value: string): MarkupValue {
  if (/^u?int/.test(type)) return formatCount(BigInt(value));
  if (/^0x[0-9a-f]{24,}$/i.test(value)) return html`${value.slice(0, 10)}&hellip;${value.slice(-6)}`;
  return foreignText(value, { max: maxText, none: '""' });
}

/** In a file: what its name is known by. */
export function knownBy(call: DecodedCall | null): string {
  return call === null ? '' : call.isByName ? 'name' : 'sources';
}

/** An object if every argument has a name of its own, else a list. */
export function argumentsJson({ arguments: values }: DecodedCall): string {
  return JSON.stringify(toJson(values));
}

function toJson(values: readonly DecodedValue[]): unknown {
  const names = new Set(values.map(({ name }) => name));
  const plain = (value: DecodedValue['value']): unknown => (typeof value === 'string' ? value : toJson(value));
  if (values.length === 0 || names.has('') || names.has('__proto__') || names.size < values.length) {
    return values.map(({ value }) => plain(value));
  }
  return Object.fromEntries(values.map(({ name, value }) => [name, plain(value)]));
}
