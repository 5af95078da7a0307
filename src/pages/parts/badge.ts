// A state in a word: the word says it, the colour repeats it.
import { html, joinMarkup, type Markup } from '../../../packages/kit/markup.ts';
import { isSuccess } from '../../../packages/protocol/hapi/response-codes.ts';
import { resultWords } from './result-words.ts';

export type BadgeKind = 'good' | 'bad' | 'warn' | 'plain';

export function badge(kind: BadgeKind, text: string): Markup {
  // Long codes may break between their words.
  const shown = text.includes('_') ? joinMarkup(text.split('_'), html`_<wbr>`) : text;
  return html`<span class="badge ${kind}">${shown}</span>`;
}

/** `code`: the response code of a transaction. */
export function resultBadge(code: number): Markup {
  return badge(isSuccess(code) ? 'good' : 'bad', resultWords(code));
}

/** The same in a narrow place: whether it succeeded. */
export function outcomeBadge(code: number): Markup {
  return isSuccess(code) ? badge('good', 'Success') : badge('bad', 'Failed');
}
