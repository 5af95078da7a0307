// Values that a constructor wrote into the code. The compiler numbers them; their names are those of the source where it
// declares as many as the code has.

import { toChecksumAddress } from '../../../../packages/abi/checksum-address.ts';
import { isJsonObject } from '../../../../packages/kit/is-json-object.ts';
import { html, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { readTokens } from './source-tokens.ts';

const maxShown = 50;

export type Immutable = { name: string | null; type: string | null; value: string };

/** `values`: parsed `transformationValues` of the runtime code. `source`: the contract's file; null = it is not read. */
export function readImmutables(values: unknown, source: string | null): Immutable[] {
  const given = isJsonObject(values) && isJsonObject(values.immutables) ? values.immutables : {};
  const numbered = Object.entries(given).flatMap(([id, value]) =>
    /^\d{1,15}$/.test(id) && typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value)
      ? [{ id: Number(id), value: value.toLowerCase() }]
      : [],
  );
  numbered.sort((one, other) => one.id - other.id);
  const declared = source === null ? [] : findDeclared(source);
  // Numbers grow with the places in the source; of several files it is not known which is first.
  const areNamed = declared.length === numbered.length;
  return numbered.map(({ value }, place) => ({ name: null, type: null, ...(areNamed && declared[place]), value }));
}

/** Longer ones are not read. */
const maxSource = 400_000;

function findDeclared(source: string): { name: string; type: string }[] {
  if (source.length > maxSource) return [];
  let text = '';
  for (const token of readTokens(source, 'Solidity'))
    text += token.kind === 'comment' || token.kind === 'text' ? ' ' : token.text;
  const declared: { name: string; type: string }[] = [];
  for (const statement of text.split(/[;{}]/)) {
    const [declaration = ''] = statement.split('=');
    const words = declaration.trim().split(/\s+/);
    if (!words.includes('immutable') || !/^[A-Za-z_$][\w$]*$/.test(words.at(-1)!)) continue;
    declared.push({ name: words.at(-1)!, type: words[0]! });
  }
  return declared;
}

/** null = there are none. */
export function showImmutables(immutables: readonly Immutable[]): MarkupValue {
  if (immutables.length === 0) return null;
  const left = immutables.length - maxShown;
  const items = immutables.slice(0, maxShown).map(({ name, type, value }) => {
    const named =
      name === null
        ? null
        : html`${foreignText(name, { max: 60 })} <code class="faint">${foreignText(type ?? '', { max: 60 })}</code> `;
    return html`<li>${named}<code>${formatValue(type, value)}</code></li>`;
  });
  return html`<ul>${items}${left > 0 ? html`<li class="faint">&hellip; ${left} more</li>` : null}</ul>`;
}

/** Contracts and interfaces have names of their own, which say no less than `address`. */
function formatValue(type: string | null, value: string): string {
  const number = BigInt(value === '0x' ? 0 : value);
  if (type === 'bool') return number === 0n ? 'false' : 'true';
  const [, sign, bits] = /^(u?)int(\d*)$/.exec(type ?? '') ?? [];
  if (sign === 'u') return number.toString();
  if (sign === '') return BigInt.asIntN(Number(bits || 256), number).toString();
  const isAddress = type === 'address' || /^[A-Z]/.test(type ?? '');
  return isAddress && number < 1n << 160n
    ? toChecksumAddress(`0x${number.toString(16).padStart(40, '0')}`)
    : value.slice(0, 200);
}
