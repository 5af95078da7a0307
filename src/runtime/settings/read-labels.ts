// The file of --labels: names of entities, as JSON or CSV.
import { readFileSync, statSync } from 'node:fs';
import { parseEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { LedgerValueError } from '../../../packages/protocol/ledger-value-error.ts';
import type { ServerOptions } from '../../server/server.ts';
import type { Settings } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

type Labels = NonNullable<ServerOptions['labels']>;

const maxBytes = 4 * 2 ** 20;
const maxLabels = 50_000;
const maxName = 100;
const maxAddress = 2_000;
const members = ['account', 'name', 'url', 'icon'];

/** Throws UsageError for a file that cannot be read, or that has anything else in it. */
export function readLabels(settings: Pick<Settings, 'find'>): Labels {
  const path = settings.find('labels');
  if (path === undefined) return new Map();
  const text = readText(path);
  try {
    return toLabels(/^\s*[[{]/.test(text) ? readJson(text) : readCsv(text));
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

function toLabels(entries: unknown[]): Labels {
  if (entries.length > maxLabels) throw new LabelError(`it has ${entries.length} entries, more than ${maxLabels}`);
  const labels = new Map<bigint, ReturnType<typeof toLabel>['label']>();
  for (const [place, entry] of entries.entries()) {
    const { id, label } = toLabel(entry, `entry ${place + 1}`);
    if (labels.has(id)) throw new LabelError(`entry ${place + 1} names an account that an earlier one names`);
    labels.set(id, label);
  }
  return labels;
}

function toLabel(entry: unknown, where: string) {
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
  const address = (member: string): string | null => {
    const value = text(member, maxAddress);
    if (value && !(/^https?:\/\/[\x21-\x7e]+$/i.test(value) && URL.canParse(value))) {
      throw new LabelError(`${member} of ${where} is no address such as https://…`);
    }
    return value || null;
  };
  return { id: toId(text('account', maxName), where), label: { name, url: address('url'), icon: address('icon') } };
}

function toId(text: string | null, where: string): bigint {
  try {
    return parseEntityId(text ?? '');
  } catch (error) {
    if (!(error instanceof LedgerValueError)) throw error;
    throw new LabelError(`account of ${where} is no id such as 0.0.98`);
  }
}
