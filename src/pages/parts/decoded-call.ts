// Calls, logs and results as a checked ABI reads them, or by their names. Names and texts are those of the author of the
// contract.

import type { DecodedCall, DecodedValue } from '../../../packages/abi/decoded-value.ts';
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { fromLongZeroAddress, isLongZeroAddress } from '../../../packages/protocol/hapi/evm-address.ts';
import { formatCount } from './amounts.ts';
import { code, hexBytes } from './bytes.ts';
import { foreignText } from './foreign-text.ts';
import { type TreeValue, valueTree } from './value-tree.ts';

const maxName = 80;
const maxText = 300;
/**
 * Of all arguments of a call, lists included. `markup`: characters that long values may take together, or one value
 * more.
 */
const usualRoom: Room = { values: 60, markup: 3000 };
/** Of a value that is not long: an address, a number. */
const plainMarkup = 120;

type Room = { values: number; markup: number };

/** Its name, and its arguments below. */
export function decodedCall(call: DecodedCall, what: string): Markup {
  const shown = call.arguments.length === 0 ? null : decodedValues(call.arguments, what);
  return html`<div class="decoded">${callName(call)}${shown}</div>`;
}

export function callName({ signature, isByName }: Pick<DecodedCall, 'signature' | 'isByName'>): Markup {
  return html`<code>${foreignText(signature, { max: maxName })}</code>${isByName ? byNameOnly : null}`;
}

/** Stands behind a name that no checked source gave. */
export const byNameOnly = html` <span class="faint">by its name only</span>`;

export function decodedValues(values: readonly DecodedValue[], what: string, room = usualRoom): Markup {
  return valueTree(toTree(values, { ...room }), what);
}

function toTree(values: readonly DecodedValue[], room: Room): TreeValue[] {
  const shown: TreeValue[] = [];
  for (const value of values) {
    if (room.values <= 0 || room.markup <= 0) {
      shown.push({ name: '', value: html`<span class="faint">&hellip; and more, which is left out here</span>` });
      break;
    }
    room.values -= 1;
    shown.push(toBranch(value, room));
  }
  return shown;
}

function toBranch({ name, type, value, isHashed, omitted }: DecodedValue, room: Room): TreeValue {
  const shownName = html`${foreignText(name, { max: maxName })} <code>${foreignText(type, { max: maxName })}</code>`;
  const left = omitted === undefined ? null : html` <span class="faint">&hellip; ${formatCount(omitted)} more</span>`;
  if (typeof value !== 'string') return { name: shownName, value: left, inside: toTree(value, room) };
  const hashed = isHashed ? html` <span class="faint">hash of the value</span>` : null;
  const leaf = html`${toLeaf(type, value, room)}${hashed}${left}`;
  room.markup -= Math.max(0, leaf.markup.length - plainMarkup);
  return { name: shownName, value: leaf };
}

function toLeaf(type: string, value: string, room: Room): MarkupValue {
  if (type === 'address') return address(value);
  if (/^u?int/.test(type)) return formatCount(BigInt(value));
  if (type === 'string')
    return foreignText(value, {
      max: Math.min(maxText, Math.max(20, room.markup >> 3)),
      none: html`<span class="faint">empty</span>`,
    });
  if (/^0x(?:[0-9a-f]{2})*$/i.test(value)) {
    return hexBytes(Buffer.from(value.slice(2), 'hex'), {
      max: Math.min(512, Math.max(32, room.markup >> 2)),
      none: html`<span class="faint">no bytes</span>`,
    });
  }
  return foreignText(value, { max: maxText });
}

/** With the id that a long-zero address is made of. */
function address(text: string): Markup {
  const bytes = Buffer.from(text.slice(2), 'hex');
  const id = isLongZeroAddress(bytes) ? fromLongZeroAddress(bytes) : 0n;
  return html`${code(text)}${id === 0n ? null : html` <span class="faint">${formatEntityId(id)}</span>`}`;
}
