// A state in a word: the word says it, the colour repeats it.
import { html, type Markup } from '../../../kit/markup.ts';
import { isSuccess, responseCodeName } from '../../../protocol/hapi/response-codes.ts';

export type BadgeKind = 'good' | 'bad' | 'warn' | 'plain';

export function badge(kind: BadgeKind, text: string): Markup {
  return html`<span class="badge ${kind}">${text}</span>`;
}

/** `code`: the response code of a transaction. */
export function resultBadge(code: number): Markup {
  return badge(isSuccess(code) ? 'good' : 'bad', responseCodeName(code));
}

/** The same in a narrow place: whether it succeeded. */
export function outcomeBadge(code: number): Markup {
  return isSuccess(code) ? badge('good', 'Success') : badge('bad', 'Failed');
}
