// A part of a source as numbered lines that links can name. However long lines, names and files are, a part has a
// limit, and what is left out is stated.
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { showHidden } from '../../parts/foreign-text.ts';
import { readTokens, type SourceToken } from './source-tokens.ts';

export type SourcePart = {
  shown: Markup;
  /** Of the first line after it; null = this is the end. */
  nextLine: number | null;
};

/** Characters of markup of a part. */
const maxMarkup = 45_000;
const maxLine = 2_000;
const maxLineMarkup = 20_000;
/** Characters of a line that are shown whatever they take. */
const minLine = 300;
/** Longer sources are not coloured: they would be read from their first line for each part. */
const maxColoured = 400_000;

/** `from`: number of the first line, 1 at least. null = the source has fewer. */
export function sourceLines(source: string, language: string, from: number): SourcePart | null {
  const lines = splitLines(source, language, from);
  const shown: Markup[] = [];
  let size = 0;
  let number = from;
  for (const pieces of lines) {
    let line = showLine(pieces, number, maxLine);
    // Hidden characters take much more room than others.
    if (line.markup.length > maxLineMarkup) line = showLine(pieces, number, minLine);
    size += line.markup.length;
    if (size > maxMarkup && shown.length > 0) return { shown: toList(shown, from), nextLine: number };
    shown.push(line);
    number += 1;
  }
  return shown.length === 0 ? null : { shown: toList(shown, from), nextLine: null };
}

function toList(lines: readonly Markup[], from: number): Markup {
  return html`<ol class="source" start="${from}" tabindex="0" dir="ltr">
${joinMarkup(lines, '\n')}
</ol>`;
}

type Line = readonly SourceToken[];

function* splitLines(source: string, language: string, from: number): Generator<Line> {
  const tokens =
    source.length > maxColoured ? [{ kind: 'plain', text: source } as const] : readTokens(source, language);
  let line: SourceToken[] = [];
  let number = 1;
  for (const { kind, text } of tokens) {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      if (number >= from) {
        line.push({ kind, text: text.slice(start, end) });
        yield line;
        line = [];
      }
      number += 1;
      start = end + 1;
    }
    if (number >= from && start < text.length) line.push({ kind, text: text.slice(start) });
  }
  if (number >= from && line.length > 0) yield line;
}

function showLine(pieces: Line, number: number, max: number): Markup {
  let left = max;
  let omitted = 0;
  const shown: MarkupValue[] = [];
  for (const { kind, text } of pieces) {
    const cut = cutText(text.replace(/\r$/, ''), left);
    left -= cut.length;
    omitted += text.length - cut.length;
    if (cut !== '') shown.push(showPiece(kind, cut));
  }
  const more = omitted > 1 ? html` <span class="faint">&hellip; ${omitted} more characters</span>` : null;
  return html`<li id="${`L${number}`}">${shown}${more}</li>`;
}

/** Never in the middle of a character that takes two places. */
function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = max > 0 && text.codePointAt(max - 1)! > 0xffff ? max - 1 : max;
  return text.slice(0, end);
}

/** None of these elements says anything to who hears the page. */
function showPiece(kind: SourceToken['kind'], text: string): MarkupValue {
  const shown = showHidden(text);
  if (kind === 'comment') return html`<i>${shown}</i>`;
  if (kind === 'text') return html`<u>${shown}</u>`;
  return kind === 'keyword' ? html`<b>${shown}</b>` : shown;
}
