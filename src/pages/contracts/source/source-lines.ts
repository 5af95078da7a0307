// A part of a source as numbered lines that links can name. However long lines, names and files are, a part has a
// limit, and what is left out is stated.
import { html, joinMarkup, type Markup, type MarkupValue } from '../../../../packages/kit/markup.ts';
import { foreignText, showHidden } from '../../parts/foreign-text.ts';
import { type Definition, linesOfNames } from './source-outline.ts';
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

/** What is known of the source beside its text. */
export type SourceLinks = {
  definitions: readonly Definition[];
  /** To the line of a definition, from a part of lines that may not have it. */
  hrefOf(line: number): string;
};

const noLinks: SourceLinks = { definitions: [], hrefOf: () => '' };

/** `from`: number of the first line, 1 at least. null = the source has fewer. */
export function sourceLines(
  source: string,
  language: string,
  from: number,
  { definitions, hrefOf }: SourceLinks = noLinks,
): SourcePart | null {
  const lines = splitLines(source, language, from);
  const lineOf = linesOfNames(definitions);
  const shown: Markup[] = [];
  let size = 0;
  let number = from;
  for (const pieces of lines) {
    const linked = (name: string): string | null => {
      const line = lineOf.get(name);
      return line === undefined || line === number ? null : hrefOf(line);
    };
    let line = showLine(pieces, number, { max: maxLine, linked });
    // Hidden characters and links take much more room than others.
    if (line.markup.length > maxLineMarkup) line = showLine(pieces, number, { max: minLine, linked: () => null });
    size += line.markup.length;
    if (size > maxMarkup && shown.length > 0) return { shown: fold(shown, from, definitions), nextLine: number };
    shown.push(line);
    number += 1;
  }
  return shown.length === 0 ? null : { shown: fold(shown, from, definitions), nextLine: null };
}

/** Shorter ones are seen as a whole. */
const minFolded = 60;

/** Each contract of a file with several can be folded away. */
function fold(lines: readonly Markup[], from: number, definitions: readonly Definition[]): Markup {
  const end = from + lines.length;
  const blocks = definitions.filter(({ depth, endLine, line }) => depth === 0 && endLine !== null && endLine > line);
  if (lines.length < minFolded || blocks.length < 2) return toList(lines, from);
  const parts: Markup[] = [];
  let at = from;
  const show = (until: number): Markup => {
    const list = toList(lines.slice(at - from, until - from), at);
    at = until;
    return list;
  };
  for (const { kind, name, line, endLine } of blocks) {
    const until = Math.min(endLine! + 1, end);
    if (until <= at || line >= end) continue;
    if (line > at) parts.push(show(line));
    const title = html`<summary>${kind} ${foreignText(name, { max: 60 })} <span class="faint">lines ${line} to ${endLine!}</span></summary>`;
    parts.push(html`<details open>${title}${show(until)}</details>`);
  }
  if (at < end) parts.push(show(end));
  return joinMarkup(parts, '\n');
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

/** null = it is no link. */
type Linked = (name: string) => string | null;

function showLine(pieces: Line, number: number, { max, linked }: { max: number; linked: Linked }): Markup {
  let left = max;
  let omitted = 0;
  const shown: MarkupValue[] = [];
  for (const { kind, text } of pieces) {
    const cut = cutText(text.replace(/\r$/, ''), left);
    left -= cut.length;
    omitted += text.length - cut.length;
    if (cut !== '') shown.push(kind === 'plain' ? showNames(cut, linked) : showPiece(kind, cut));
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

function showNames(text: string, linked: Linked): MarkupValue {
  const parts: MarkupValue[] = [];
  let end = 0;
  for (const { 0: name, index } of text.matchAll(/[A-Za-z_$][\w$]*/g)) {
    const href = linked(name);
    if (href === null) continue;
    parts.push(showHidden(text.slice(end, index)), html`<a href="${href}">${name}</a>`);
    end = index + name.length;
  }
  return end === 0 ? showHidden(text) : [...parts, showHidden(text.slice(end))];
}

/** None of these elements says anything to who hears the page. */
function showPiece(kind: SourceToken['kind'], text: string): MarkupValue {
  const shown = showHidden(text);
  if (kind === 'comment') return html`<i>${shown}</i>`;
  if (kind === 'text') return html`<u>${shown}</u>`;
  return kind === 'keyword' ? html`<b>${shown}</b>` : shown;
}
