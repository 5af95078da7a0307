// The files of a verified contract: their names, and one of them in numbered lines.
import { html, type Markup } from '../../../../kit/markup.ts';
import type { SourceFileRow } from '../../../../store/verification/select-verified-sources.ts';
import type { FoundContract } from '../../../../verification/contract-lookup.ts';
import type { VerifiedSources } from '../../../../verification/verified-sources.ts';
import { refuse } from '../../../frame/request-error.ts';
import type { PageRequest } from '../../page/page.ts';
import { formatCount } from '../../parts/amounts.ts';
import { foreignText } from '../../parts/foreign-text.ts';
import { section } from '../../parts/section.ts';
import { sourceLines } from './source-lines.ts';

const filesShown = 25;
const maxPath = 150;

export type ShownFile = { path: string; content: string };

/** Of the parameters `file` and `files`. */
export type SourceFiles = {
  files: readonly SourceFileRow[];
  /** null = there are no more. */
  nextAfter: string | null;
  isFirst: boolean;
  file: ShownFile | null;
};

/** `mainFile`: the one that is shown if none is chosen. Throws RequestError. */
export async function findFiles(
  sources: VerifiedSources,
  found: FoundContract,
  mainFile: string,
  { queryText }: Pick<PageRequest, 'queryText'>,
): Promise<SourceFiles> {
  const query = new URLSearchParams(queryText);
  const after = query.get('files') ?? '';
  const chosen = query.get('file');
  const listed = await sources.files(found, { after: toStorable(after, 'files'), limit: filesShown + 1 });
  const path = chosen === null ? mainFile : toStorable(chosen, 'file');
  const content = await sources.file(found, path);
  if (content === null && chosen !== null) throw refuse('notFound');
  const files = listed.slice(0, filesShown);
  return {
    files,
    nextAfter: listed.length > filesShown ? files.at(-1)!.path : null,
    isFirst: after === '',
    file: content && { path, content: content.toString('utf8') },
  };
}

/** PostgreSQL has no text with a zero character. Throws RequestError. */
export function toStorable(text: string, name: string): string {
  if (text.includes('\0') || !text.isWellFormed()) throw refuse('invalidParameter', { name });
  return text;
}

/** `path` of the page. */
export function filesSection(path: string, { files, nextAfter, isFirst, file }: SourceFiles): Markup {
  const items = files.map(
    (one) =>
      html`<li><a href="${`${path}?file=${encodeURIComponent(one.path)}#file`}"${one.path === file?.path ? html` aria-current="true"` : null}>${foreignText(one.path, { max: maxPath, none: 'without a name' })}</a> <span>${formatCount(one.size)} bytes</span></li>`,
  );
  const first = isFirst ? null : html`<a href="${`${path}#files`}">First files</a>`;
  const next =
    nextAfter === null
      ? null
      : html`<a href="${`${path}?files=${encodeURIComponent(nextAfter)}#files`}" rel="next">Next files</a>`;
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
  const here = `${path}?file=${encodeURIComponent(file.path)}`;
  const raw = html`<a href="${`${path}/text?file=${encodeURIComponent(file.path)}`}">As plain text</a>`;
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
