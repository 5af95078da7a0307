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
  const part = sourceLines(file.content, language, from);
  const here = `${path}?file=${encodeURIComponent(file.name)}`;
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
    html`${part?.shown ?? none}${pager}`,
  );
}

function readLine(queryText: string): number {
  const text = new URLSearchParams(queryText).get('line');
  if (text === null) return 1;
  if (!/^[1-9]\d{0,7}$/.test(text)) throw refuse('invalidParameter', { name: 'line' });
  return Number(text);
}
