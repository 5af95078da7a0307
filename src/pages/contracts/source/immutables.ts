// Values that a constructor wrote into the code, by the names that the source gives them.

import { toChecksumAddress } from '../../../../packages/abi/checksum-address.ts';
import { isJsonObject } from '../../../../packages/kit/is-json-object.ts';
import { html, type MarkupValue } from '../../../../packages/kit/markup.ts';
import type { ImmutableName } from '../../../../packages/verification/layout/name-immutables.ts';
import { formatCount } from '../../parts/amounts.ts';
import { foreignText } from '../../parts/foreign-text.ts';

const maxShown = 50;

export type Immutable = { named: ImmutableName | null; value: string };

/** `values`: parsed `transformationValues` of the runtime code. `names`: by the compiler's number. */
export function readImmutables(values: unknown, names: ReadonlyMap<string, ImmutableName>): Immutable[] {
  const given = isJsonObject(values) && isJsonObject(values.immutables) ? values.immutables : {};
  const numbered = Object.entries(given).flatMap(([id, value]) =>
    /^\d{1,15}$/.test(id) && typeof value === 'string' && /^0x(?:[0-9a-f]{2})*$/i.test(value)
      ? [{ id, value: value.toLowerCase() }]
      : [],
  );
  numbered.sort((one, other) => Number(one.id) - Number(other.id));
  return numbered.map(({ id, value }) => ({ named: names.get(id) ?? null, value }));
}

/** null = there are none. */
export function showImmutables(immutables: readonly Immutable[]): MarkupValue {
  if (immutables.length === 0) return null;
  const left = immutables.length - maxShown;
  const items = immutables.slice(0, maxShown).map(({ named, value }) => {
    const words =
      named === null
        ? null
        : html`${foreignText(named.name, { max: 60 })} <code class="faint">${foreignText(named.type, { max: 60 })}</code> `;
    return html`<li>${words}<code>${formatValue(named?.plainType ?? null, value)}</code></li>`;
  });
  return html`<ul>${items}${left > 0 ? html`<li class="faint">&hellip; ${left} more</li>` : null}</ul>`;
}

/** A value that does not fit its type is shown as it is. */
function formatValue(type: string | null, value: string): string {
  const number = BigInt(value === '0x' ? 0 : value);
  if (type === 'bool') return number === 0n ? 'false' : 'true';
  const [, sign, bits] = /^(u?)int(\d*)$/.exec(type ?? '') ?? [];
  if (sign === 'u') return formatCount(number);
  if (sign === '') return formatCount(BigInt.asIntN(Number(bits || 256), number));
  return type === 'address' && number < 1n << 160n
    ? toChecksumAddress(`0x${number.toString(16).padStart(40, '0')}`)
    : value.slice(0, 200);
}
