// The files of a verified contract: their names, and one of them in numbered lines.

import { html, type Markup } from '../../../../packages/kit/markup.ts';
import type { FoundContract } from '../../../../packages/verification/contract-lookup.ts';
import type { SourceFileRow } from '../../../../packages/verification/store/select-verified-sources.ts';
import type { VerifiedSources } from '../../../../packages/verification/verified-sources.ts';
import { refuse } from '../../../../packages/web-server/request-error.ts';
import type { PageRequest } from '../../page/page.ts';
import { formatCount } from '../../parts/amounts.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { windowStart } from '../../parts/list-window.ts';
import { section } from '../../parts/section.ts';
import { sourceLines } from './source-lines.ts';
import { type Definition, outlineOf } from './source-outline.ts';

const filesShown = 25;
const maxPath = 150;
/** Characters of a path in a link. */
const maxLinked = 200;

export type ShownFile = { path: string; content: string; name: string };

/** Of the parameters `file` and `files`. */
export type SourceFiles = {
  files: readonly SourceFileRow[];
  from: number;
  hasMore: boolean;
  file: ShownFile | null;
};

/** `mainFile`: the one that is shown if none is chosen. Throws RequestError. */
export async function findFiles(
  sources: VerifiedSources,
  found: FoundContract,
  mainFile: string,
  { queryText }: Pick<PageRequest, 'queryText'>,
): Promise<SourceFiles> {
  const from = windowStart(queryText, 'files');
  const chosen = new URLSearchParams(queryText).get('file');
  const listed = await sources.files(found, { from, limit: filesShown + 1 });
  const file = await findFile(sources, found, chosen ?? mainFile);
  if (file === null && chosen !== null) throw refuse('notFound');
  return { files: listed.slice(0, filesShown), from, hasMore: listed.length > filesShown, file };
}

/** `name`: a path, or `md5:` and the hash of one that is too long for a link. Throws RequestError. */
export async function findFile(
  sources: VerifiedSources,
  found: FoundContract,
  name: string,
): Promise<ShownFile | null> {
  // PostgreSQL has no text with a zero character.
  if (name.includes('\0') || !name.isWellFormed()) throw refuse('invalidParameter', { name: 'file' });
  const [, pathHash] = /^md5:([0-9a-f]{32})$/.exec(name) ?? [];
  const file = await sources.file(found, pathHash === undefined ? { path: name } : { pathHash });
  return file && { path: file.path, content: file.content.toString('utf8'), name };
}

function nameOf({ path, isCut, pathHash }: SourceFileRow): string {
  return isCut || path.length > maxLinked ? `md5:${pathHash}` : path;
}

/** `path` of the page. */
export function filesSection(path: string, { files, from, hasMore, file }: SourceFiles): Markup {
  const items = files.map(
    (one) =>
      html`<li><a href="${`${path}?file=${encodeURIComponent(nameOf(one))}#file`}"${one.path === file?.path ? html` aria-current="true"` : null}>${foreignText(one.path, { max: maxPath, none: 'without a name' })}</a> <span>${formatCount(one.size)} bytes</span></li>`,
  );
  const first = from === 0 ? null : html`<a href="${`${path}#files`}">First files</a>`;
  const next = hasMore ? html`<a href="${`${path}?files=${from + filesShown}#files`}" rel="next">Next files</a>` : null;
  const pager =
    first === null && next === null
      ? null
      : html`<nav class="pager" aria-label="Parts of the list of files">${first}${next}</nav>`;
  const list =
    items.length === 0 ? html`<p class="none">There are no further files.</p>` : html`<ul class="paths">${items}</ul>`;
  return section({ id: 'files', title: 'Files' }, html`${list}${pager}`);
}

/** Throws RequestError. */
export function fileSection(
  path: string,
  file: ShownFile,
  language: string,
  { queryText }: Pick<PageRequest, 'queryText'>,
): Markup {
  const from = readLine(queryText);
  const here = `${path}?file=${encodeURIComponent(file.name)}`;
  const definitions = outlineOf(file.content, language);
  // Whether a line is in this part is known when it is made: the link works in any case.
  const hrefOf = (line: number): string => `${here}&line=${Math.max(1, line - linesBefore)}#L${line}`;
  const part = sourceLines(file.content, language, from, { definitions, hrefOf });
  const raw = html`<a href="${`${path}/text?file=${encodeURIComponent(file.name)}`}">As plain text</a>`;
  const first = from === 1 ? null : html`<a href="${`${here}#file`}">First lines</a>`;
  const next =
    part === null || part.nextLine === null
      ? null
      : html`<a href="${`${here}&line=${part.nextLine}#file`}" rel="next">From line ${formatCount(part.nextLine)}</a>`;
  const pager =
    first === null && next === null
      ? null
      : html`<nav class="pager" aria-label="Parts of the file">${first}${next}</nav>`;
  const none = html`<p class="none">${from === 1 ? 'The file is empty.' : 'The file ends before.'}</p>`;
  return section(
    { id: 'file', title: foreignText(file.path, { max: maxPath, none: 'A file without a name' }), beside: raw },
    html`${findForm(path, file, queryText)}${foundLines(file.content, queryText, hrefOf)}${outline(definitions, hrefOf)}${part?.shown ?? none}${pager}`,
  );
}

/** Of the context above a line that a link leads to. */
const linesBefore = 3;
const definitionsShown = 80;

function outline(definitions: readonly Definition[], hrefOf: (line: number) => string): Markup | null {
  if (definitions.length < 3) return null;
  const left = definitions.length - definitionsShown;
  const items = definitions
    .slice(0, definitionsShown)
    .map(
      ({ kind, name, line, depth }) =>
        html`<li>${depth > 0 ? html`<span class="faint">&middot;</span> ` : null}${kind} <a href="${hrefOf(line)}">${foreignText(name, { max: 60 })}</a> <span>line ${line}</span></li>`,
    );
  const more = left > 0 ? html`<li class="faint">&hellip; ${formatCount(left)} more</li>` : null;
  return html`<details><summary>${formatCount(definitions.length)} definitions</summary><ul class="paths">${items}${more}</ul></details>
`;
}

const maxFind = 100;
const hitsShown = 40;
const maxHit = 120;

function readFind(queryText: string): string {
  const text = new URLSearchParams(queryText).get('find') ?? '';
  if (text.length > maxFind) throw refuse('invalidParameter', { name: 'find' });
  return text;
}

function findForm(path: string, { name }: ShownFile, queryText: string): Markup {
  return html`<form class="filters" action="${`${path}#file`}"><input type="hidden" name="file" value="${name}"><label>Find in this file <input name="find" value="${readFind(queryText)}" maxlength="${maxFind}" required autocomplete="off" spellcheck="false"></label><button>Find</button></form>
`;
}

/** Lines with the text that is looked for, in any case of letters; null = none is. */
function foundLines(source: string, queryText: string, hrefOf: (line: number) => string): Markup | null {
  const wanted = readFind(queryText).toLowerCase();
  if (wanted === '') return null;
  const hits = source
    .split('\n')
    .flatMap((text, place) => (text.toLowerCase().includes(wanted) ? [{ text, line: place + 1 }] : []));
  if (hits.length === 0) return html`<p class="none">No line of this file has it.</p>`;
  const items = hits
    .slice(0, hitsShown)
    .map(
      ({ text, line }) =>
        html`<li><a href="${hrefOf(line)}">Line ${line}</a> <code>${foreignText(text.trim(), { max: maxHit })}</code></li>`,
    );
  const left = hits.length - hitsShown;
  return html`<ul class="paths">${items}${left > 0 ? html`<li class="faint">&hellip; ${formatCount(left)} more lines</li>` : null}</ul>`;
}

function readLine(queryText: string): number {
  const text = new URLSearchParams(queryText).get('line');
  if (text === null) return 1;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw refuse('invalidParameter', { name: 'line' });
  return Number(text);
}
