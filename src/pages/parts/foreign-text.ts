// Text that anyone may have written into the ledger: names, memos, messages. It is shown as text only, of bounded
// length, in a direction of its own, and invisible characters are made visible: they could make a name look like
// another, or turn the line around it.
import {
  contentMarkup,
  html,
  type Markup,
  type MarkupValue,
  toMarkupText,
  trustedMarkup,
} from '../../../packages/kit/markup.ts';

export type ForeignTextOptions = {
  /** Characters; more are left out, and their number is said. Default 200. */
  max?: number;
  /** Shown for an empty text. */
  none?: MarkupValue;
};

export function foreignText(text: string, { max = 200, none = null }: ForeignTextOptions = {}): MarkupValue {
  if (text === '') return none;
  if (text.length <= max && plain.test(text)) return trustedMarkup(`<bdi>${toMarkupText(text)}</bdi>`);
  const { shown, left } = cutText(text, max);
  const more = left === 0 ? null : html` <span class="faint">&hellip; ${left} more characters</span>`;
  return html`<bdi>${showHidden(shown)}</bdi>${more}`;
}

/** The same with its line ends, for messages and sources. */
export function foreignBlock(text: string, { max = 10_000 }: { max?: number } = {}): Markup {
  const { shown, left } = cutText(text, max);
  const more = left === 0 ? null : html`\n<p class="faint">&hellip; ${left} more characters</p>`;
  // Messages in JSON have a quote every few characters, and in content none has to be escaped.
  const shownText = showHidden(shown);
  return html`<pre class="text" tabindex="0" dir="auto">${typeof shownText === 'string' ? contentMarkup(shownText) : shownText}</pre>${more}`;
}

/** For the title of a window, which is text alone. */
export function titleText(text: string, max = 100): string {
  const { shown, left } = cutText(text, max);
  return `${plain.test(shown) ? shown : shown.replace(hidden, '\ufffd')}${left > 0 ? '…' : ''}`;
}

/** Never in the middle of a character that takes two places. */
function cutText(text: string, max: number): { shown: string; left: number } {
  if (text.length <= max) return { shown: text, left: 0 };
  const end = text.codePointAt(max - 1)! > 0xffff ? max - 1 : max;
  return { shown: text.slice(0, end), left: text.length - end };
}

/** Letters may carry marks, but no name needs more of them in a row. */
const maxMarks = 4;
/** Of one text; a text of nothing else would make a page forty times as long. Further ones are shown as �. */
const maxNamed = 16;

/** Of a text that is shown in pieces. */
export function showHidden(text: string): MarkupValue {
  // Most texts: the search through all of Unicode takes ten times as long.
  if (plain.test(text)) return text;
  const parts: MarkupValue[] = [];
  let end = 0;
  let named = 0;
  for (const match of text.matchAll(hidden)) {
    const [found] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    named += 1;
    parts.push(named > maxNamed ? '\ufffd' : html`<span class="hidden-character">${nameOf(found)}</span>`);
    end = match.index + found.length;
  }
  return end === 0 ? text : [...parts, text.slice(end)];
}

function nameOf(characters: string): string {
  const codes = [...characters].map((one) => `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
  return codes.length === 1 ? codes[0]! : `${codes[0]} × ${codes.length}`;
}

/** Most texts are: nothing hidden is among these characters, and to look for it takes much longer. */
const plain = /^[\t\n\r -~]*$/;

// Controls but tab and line ends; format characters (directions, zero width, tags) but the joint of two pictures;
// separators and blanks that are none to see; marks stacked on one letter; and code points without an
// assigned character.
const hidden = new RegExp(
  [
    String.raw`[\p{Cc}--[\t\n\r]]`,
    String.raw`[[\p{Cf}--\u200d]\u2028\u2029\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5]`,
    String.raw`(?<!\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d|\u200d(?!\p{Extended_Pictographic})`,
    String.raw`[\p{Co}\p{Cn}\p{Cs}]`,
    String.raw`(?<=\p{M}{${maxMarks}})\p{M}+`,
  ].join('|'),
  'gv',
);
