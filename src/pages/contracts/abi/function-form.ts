// A form that asks one function of a contract. It is sent to the page itself, so that the address of an answer can be
// kept.

import type { AbiFunction } from '../../../../packages/abi/abi.ts';
import type { ListedFunction, ListedParameter } from '../../../../packages/abi/list-functions.ts';
import { html, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { foreignText } from '../../parts/foreign-text.ts';

const maxName = 60;
const maxType = 80;
const maxMembers = 12;

export type FilledForm = { texts: readonly string[]; block: string };

/** `id`: of its fields, one a page. */
export function functionForm(
  path: string,
  listed: ListedFunction,
  { texts, block }: FilledForm = { texts: [], block: '' },
): Markup {
  const inputs = listed.inputs.map(
    (input, place) =>
      html`<label>${parameterName(input, place)} <input name="argument" value="${texts[place] ?? ''}"${isText(input) ? null : html` required`} placeholder="${placeholderOf(input)}" autocomplete="off" spellcheck="false"></label>`,
  );
  return html`<form class="filters" action="${`${path}#answer`}"><input type="hidden" name="function" value="${listed.selector}">${inputs}<label>At block <input name="block" value="${block}" placeholder="newest" maxlength="98" autocomplete="off"></label>
<button>Ask</button></form>`;
}

/** An empty text is one. */
function isText({ type }: ListedParameter): boolean {
  return type === 'string';
}

export function parameterName({ name, type, members }: ListedParameter, place: number): MarkupValue {
  const inside = members?.slice(0, maxMembers).map((member) => member.name || '_') ?? [];
  const more = (members?.length ?? 0) > maxMembers ? ', …' : '';
  const tuple =
    inside.length === 0
      ? null
      : html` <span class="faint">of ${foreignText(`${inside.join(', ')}${more}`, { max: maxType })}</span>`;
  return html`<span>${foreignText(name, { max: maxName, none: `#${place + 1}` })} <code>${foreignText(type, { max: maxType })}</code>${tuple}</span>`;
}

function placeholderOf({ type }: ListedParameter): string {
  if (type.endsWith(']')) return '[…, …]';
  if (type.startsWith('(')) return '(…, …)';
  if (type === 'address') return '0x… or 0.0.5';
  if (type === 'bool') return 'true or false';
  if (type.startsWith('bytes')) return '0x…';
  return type === 'string' ? 'text' : '0';
}

export function isRead({ mutability }: AbiFunction): boolean {
  return mutability === 'view' || mutability === 'pure';
}
