// A page as a browser reads it: its links, tables and facts as text, and where its markup is wrong.
import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;
type Element = DefaultTreeAdapterTypes.Element;

export type ReadPage = {
  title: string;
  headings: string[];
  /** `href` of every link, as written. */
  links: string[];
  /** Of the same as JSON. */
  json: string | undefined;
  /** By caption: each row by the names of its columns. */
  tables: Map<string, Record<string, string>[]>;
  /** Names and values of all lists of facts. */
  facts: Map<string, string>;
  /** All text, with single blanks. */
  text: string;
  /** Attributes that run or load something, and elements that do: what a policy without exceptions must never meet. */
  active: string[];
  /** Of the markup, as the HTML standard names them. */
  errors: string[];
};

export function readPage(markup: string): ReadPage {
  const errors: string[] = [];
  const root = parse(markup, { onParseError: ({ code, startLine }) => errors.push(`${code} in line ${startLine}`) });
  const elements = [...walk(root.childNodes)];
  const named = (name: string): Element[] => elements.filter(({ tagName }) => tagName === name);
  const facts = new Map<string, string>();
  for (const pair of named('dl').flatMap((list) => childrenOf(list, 'div'))) {
    const [name] = childrenOf(pair, 'dt');
    const [value] = childrenOf(pair, 'dd');
    if (name && value) facts.set(textOf(name), textOf(value));
  }
  return {
    title: textOf(named('title')[0]),
    headings: elements.filter(({ tagName }) => /^h[1-6]$/.test(tagName)).map(textOf),
    links: named('a').flatMap((link) => attribute(link, 'href') ?? []),
    json: named('a').flatMap((link) =>
      textOf(link) === 'This page as JSON' ? (attribute(link, 'href') ?? []) : [],
    )[0],
    tables: new Map(named('table').map((table) => [textOf(inside(table, 'caption')[0]), rowsOf(table)])),
    facts,
    text: textOf(named('body')[0]),
    active: elements.flatMap(activeParts),
    errors,
  };
}

/** The text of some markup, with single blanks. `between`: what stands for a tag. */
export function shownText(markup: string, between = ' '): string {
  const { childNodes } = parseFragment(markup.replaceAll(/<[^>]*>/g, between));
  return rawText(childNodes).replaceAll(/\s+/g, ' ').trim();
}

/** The markup of each cell below this head, of all tables of a page. */
export function columnOf(body: string, head: string): string[] {
  return [...body.matchAll(/<thead>(.*?)<\/thead>\s*<tbody>(.*?)<\/tbody>/gs)].flatMap(([, heads, rows]) => {
    const place = [...heads!.matchAll(/<th[^>]*>(.*?)<\/th>/gs)].findIndex(([, shown]) => shown === head);
    const cells = [...rows!.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) => [
      ...row!.matchAll(/<td[^>]*>(.*?)<\/td>/gs),
    ]);
    return place < 0 ? [] : cells.map((row) => row[place]![1]!);
  });
}

/** By the heads of their columns. */
function rowsOf(table: Element): Record<string, string>[] {
  const names = inside(table, 'th').map((head) => textOf(head));
  return inside(table, 'tbody')
    .flatMap((body) => childrenOf(body, 'tr'))
    .map((row) => Object.fromEntries(childrenOf(row, 'td').map((cell, place) => [names[place] ?? '', textOf(cell)])));
}

function* walk(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes) {
    if (!('tagName' in node)) continue;
    yield node;
    yield* walk(node.childNodes);
  }
}

function inside(element: Element, name: string): Element[] {
  return [...walk(element.childNodes)].filter(({ tagName }) => tagName === name);
}

function childrenOf(element: Element, name: string): Element[] {
  return element.childNodes.filter((node): node is Element => 'tagName' in node && node.tagName === name);
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

function textOf(element: Element | undefined): string {
  return element === undefined ? '' : rawText(element.childNodes).replaceAll(/\s+/g, ' ').trim();
}

function rawText(nodes: readonly Node[]): string {
  return nodes
    .map((node) => ('value' in node ? node.value : 'childNodes' in node ? rawText(node.childNodes) : ''))
    .join('');
}

const loading = new Set([
  'iframe',
  'object',
  'embed',
  'base',
  'audio',
  'video',
  'source',
  'template',
  'style',
  'foreignobject',
]);

function activeParts({ tagName, attrs }: Element): string[] {
  const found = loading.has(tagName.toLowerCase()) ? [`<${tagName}>`] : [];
  for (const { name, value } of attrs) {
    const isCode = name.startsWith('on') || name === 'style' || name === 'srcdoc' || name === 'formaction';
    const loads = ['src', 'xlink:href', 'poster', 'srcset', 'background'].includes(name) && !value.startsWith('/');
    const isForeign = name === 'href' && !/^(?:\/(?!\/)|#|https?:\/\/)/.test(value);
    if (isCode || loads || isForeign) found.push(`${tagName} ${name}=${value.slice(0, 80)}`);
  }
  return found;
}
