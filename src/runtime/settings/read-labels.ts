// The file of --labels: names of entities, as JSON or CSV.
import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { LedgerValueError } from '../../../packages/protocol/ledger-value-error.ts';
import type { ServerOptions } from '../../server/server.ts';
import type { Settings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

type Labels = NonNullable<ServerOptions['labels']>;
type Label = Labels extends ReadonlyMap<bigint, infer L> ? L : never;
type Logo = NonNullable<Label['logo']>;

const maxBytes = 4 * 2 ** 20;
const maxLabels = 50_000;
const maxName = 100;
const maxAddress = 2_000;
/** Bytes of one logo, and of all. They are in the memory of every process that answers. */
const maxLogo = 64 * 1024;
const maxLogos = 16 * 2 ** 20;
const members = ['account', 'name', 'url', 'icon'];

/** Throws UsageError for a file that cannot be read, or that has anything else in it. */
export function readLabels(settings: Pick<Settings, 'find'>): Labels {
  const path = settings.find('labels');
  if (path === undefined) return new Map();
  const text = readText(path);
  try {
    return toLabels(/^\s*[[{]/.test(text) ? readJson(text) : readCsv(text), dirname(path));
  } catch (error) {
    if (!(error instanceof LabelError)) throw error;
    throw new UsageError(`--labels ${path} cannot be used: ${error.message}.`);
  }
}

class LabelError extends Error {}

function readText(path: string): string {
  try {
    if (statSync(path).size > maxBytes) throw new UsageError(`--labels ${path} is larger than ${maxBytes} bytes.`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--labels ${path} cannot be read as text (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function readJson(text: string): unknown[] {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    throw new LabelError(`it is no JSON (${(error as Error).message})`);
  }
  if (!Array.isArray(read)) throw new LabelError('it is no list');
  return read;
}

/** RFC 4180. The first line has the names of the members; empty cells are left out. */
function readCsv(text: string): Record<string, string>[] {
  const [head = [], ...lines] = readLines(text);
  for (const name of ['account', 'name']) {
    if (!head.includes(name)) throw new LabelError(`it is neither a list in JSON nor CSV with a column "${name}"`);
  }
  return lines.map((cells, place) => {
    if (cells.length !== head.length) throw new LabelError(`entry ${place + 1} has ${cells.length} cells`);
    return Object.fromEntries(cells.flatMap((cell, at) => (cell === '' ? [] : [[head[at]!, cell]])));
  });
}

function readLines(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text);
    if (found === null) throw new LabelError(`entry ${lines.length} has a quotation mark in its middle`);
    const [, quoted, plain = '', end] = found;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    // What ends the text after a comma is an empty cell.
    if (end === ',' && cell.lastIndex === text.length) cells.push('');
    if (end !== ',' || cell.lastIndex === text.length) {
      if (cells.length > 1 || cells[0] !== '') lines.push(cells);
      cells = [];
    }
  }
  return lines;
}

/** `folder`: where paths of logos begin. */
function toLabels(entries: unknown[], folder: string): Labels {
  if (entries.length > maxLabels) throw new LabelError(`it has ${entries.length} entries, more than ${maxLabels}`);
  const labels = new Map<bigint, Label>();
  const readLogo = createLogoReader(folder);
  for (const [place, entry] of entries.entries()) {
    const { id, label } = toLabel(entry, `entry ${place + 1}`, readLogo);
    if (labels.has(id)) throw new LabelError(`entry ${place + 1} names an account that an earlier one names`);
    labels.set(id, label);
  }
  return labels;
}

function toLabel(entry: unknown, where: string, readLogo: LogoReader): { id: bigint; label: Label } {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new LabelError(`${where} is no object`);
  }
  const unknown = Object.keys(entry).find((member) => !members.includes(member));
  if (unknown !== undefined) throw new LabelError(`${where} has ${JSON.stringify(unknown.slice(0, maxName))}`);
  const text = (member: string, max: number): string | null => {
    const value: unknown = Object.hasOwn(entry, member) ? (entry as Record<string, unknown>)[member] : null;
    if (value === null) return null;
    if (typeof value !== 'string') throw new LabelError(`${member} of ${where} is no text`);
    if (value.length > max) throw new LabelError(`${member} of ${where} has more than ${max} characters`);
    return value.trim();
  };
  const name = text('name', maxName);
  if (!name) throw new LabelError(`${where} has no name`);
  const address = (member: string, value: string | null): string | null => {
    if (value && !(/^https?:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value))) {
      throw new LabelError(`${member} of ${where} is no address such as https://…`);
    }
    return value || null;
  };
  const icon = text('icon', maxAddress);
  // What has a scheme is an address, and on Windows so is a path with a drive: paths begin where the file of labels is.
  const isPath = icon !== null && icon !== '' && !/^[a-z][a-z\d+.-]*:/i.test(icon);
  const label = {
    ...{ name, url: address('url', text('url', maxAddress)) },
    ...(isPath ? { icon: null, logo: readLogo(icon, where) } : { icon: address('icon', icon), logo: null }),
  };
  return { id: toId(text('account', maxName), where), label };
}

type LogoReader = (path: string, where: string) => Logo;

/** Throws LabelError for what is no picture of a kind that browsers only draw. */
function createLogoReader(folder: string): LogoReader {
  const read = new Map<string, Logo>();
  let total = 0;
  return (name, where) => {
    const path = resolve(folder, name);
    const known = read.get(path);
    if (known) return known;
    const bytes = readPicture(path, where);
    const contentType = pictureType(bytes);
    if (contentType === null) throw new LabelError(`icon of ${where} is no PNG, JPEG, GIF or WebP`);
    total += bytes.length;
    if (total > maxLogos) throw new LabelError(`its icons have more than ${maxLogos} bytes`);
    const ending = contentType.slice('image/'.length);
    const logo = { fileName: `${hash('sha256', bytes).slice(0, 16)}.${ending}`, bytes, contentType };
    read.set(path, logo);
    return logo;
  };
}

function readPicture(path: string, where: string): Buffer {
  try {
    if (statSync(path).size > maxLogo) throw new LabelError(`icon of ${where} is larger than ${maxLogo} bytes`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof LabelError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new LabelError(`icon of ${where} is no address such as https://…, and as a file it cannot be read (${code})`);
  }
}

/** By its first bytes; null = none of these. */
function pictureType(bytes: Buffer): Logo['contentType'] | null {
  const begins = bytes.subarray(0, 12).toString('latin1');
  if (begins.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (begins.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(begins)) return 'image/gif';
  return /^RIFF.{4}WEBP/s.test(begins) ? 'image/webp' : null;
}

function toId(text: string | null, where: string): bigint {
  try {
    return parseEntityId(text ?? '');
  } catch (error) {
    if (!(error instanceof LedgerValueError)) throw error;
    throw new LabelError(`account of ${where} is no id such as 0.0.98`);
  }
}
