// Pictures that NFTs name. Nothing is loaded before the visitor chooses from where: then the same page comes again, with
// a policy that lets the browser ask that host, and no other. This server never asks any.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { AllowedSources } from '../page/page.ts';
import { type DistributedFile, type Gateway, gateways, readDistributed } from './gateways.ts';

export type PicturePart = { shown: Markup; allows: AllowedSources | null };

/** As the query names it, and as people read it: a gateway, the host of an address, or the ledger itself. */
type Place = Gateway;

const ledger = 'ledger';
const maxText = 300_000;
const maxAddress = 2_000;

type Target =
  /** The picture itself. */
  | { kind: 'inline'; source: string }
  /** `isImage`: else a file that describes it, or is it. */
  | (DistributedFile & { kind: 'file'; isImage: boolean })
  | { kind: 'address'; url: URL; isImage: boolean };

/** `text`: the metadata of an NFT. null = it names no picture. `queryText`: of the page. */
export function picturePart(
  text: string,
  { path, queryText }: { path: string; queryText: string },
): PicturePart | null {
  const target = text.length > maxText ? null : findTarget(text.trim(), false);
  if (target === null) return null;
  const places = placesOf(target);
  const wanted = new URLSearchParams(queryText).get('picture');
  const place = places.find(({ name }) => name === wanted);
  return place
    ? { shown: show(target, place, wordsOf(target, place)), allows: allow(target, place) }
    : { shown: offer(path, places), allows: null };
}

/** An NFT among others: where it leads, and its metadata. */
export type PicturedItem = { heading: Markup; text: string | null };

/** Pictures of several NFTs, all from the one place that the visitor chose. `path`, `queryText`: of the page. */
export function pictureGrid(
  items: readonly PicturedItem[],
  { path, queryText, kept }: { path: string; queryText: string; kept: Readonly<Record<string, string>> },
): PicturePart {
  const found = items.map(({ heading, text }) => ({ heading, target: text === null ? null : toGridTarget(text) }));
  const names = commonNames(found.flatMap(({ target }) => target ?? []));
  const wanted = new URLSearchParams(queryText).get('picture');
  const chosen = names.find((name) => name === wanted);
  if (chosen === undefined) {
    const cells = found.map(({ heading, target }) => cell(heading, elsewhere(target)));
    return { shown: html`${offerChoice(path, names, kept)}<ul class="pictures">${cells}</ul>`, allows: null };
  }
  const allowed: AllowedSources[] = [];
  const cells = found.map(({ heading, target }) => {
    // Addresses of two schemes may be of one host.
    const place = target && placesOf(target).find(({ name }) => name === chosen);
    if (!target || !place) return cell(heading, elsewhere(target));
    allowed.push(allow(target, place));
    return cell(heading, show(target, place, null));
  });
  const words = chosen === ledger ? 'From the ledger itself' : `Loaded by your browser from ${chosen}`;
  return {
    shown: html`<p class="faint">${words}. Nobody has checked them.</p><ul class="pictures">${cells}</ul>`,
    allows: {
      images: [...new Set(allowed.flatMap(({ images }) => images))],
      connects: [...new Set(allowed.flatMap(({ connects }) => connects))],
    },
  };
}

function cell(heading: Markup, shown: Markup): Markup {
  return html`<li><p>${heading}</p>${shown}</li>`;
}

/** An inline picture of this length is shown on the page of its NFT alone. */
const maxInline = 8_000;
const noPicture = html`<p class="none">It names no picture that a browser opens.</p>`;

function toGridTarget(text: string): Target | null {
  const target = text.length > maxText ? null : findTarget(text.trim(), false);
  return target?.kind === 'inline' && target.source.length > maxInline ? null : target;
}

function elsewhere(target: Target | null): Markup {
  const name = target === null ? undefined : placesOf(target)[0]?.name;
  return name === undefined
    ? noPicture
    : html`<p class="none">${name === ledger ? 'In the ledger itself' : `At ${name}`}.</p>`;
}

/** Of places, those of the most targets first. */
function commonNames(targets: readonly Target[]): string[] {
  const counted = new Map<string, number>();
  for (const { name } of targets.flatMap(placesOf)) counted.set(name, (counted.get(name) ?? 0) + 1);
  return [...counted].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

function findTarget(text: string, isImage: boolean): Target | null {
  if (/^data:image\/[\w.+-]+[;,]/i.test(text)) return { kind: 'inline', source: text };
  const described = text.startsWith('{') ? text : readDataJson(text);
  if (described !== null) return isImage ? null : findImage(described);
  if (text.length > maxAddress || !/^[\x21-\x7e]+$/.test(text)) return null;
  const file = readDistributed(text);
  if (file) return { kind: 'file', ...file, isImage };
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' ? { kind: 'address', url, isImage } : null;
}

function findImage(described: string): Target | null {
  try {
    const found: unknown = JSON.parse(described);
    const image = typeof found === 'object' && found !== null ? (found as Record<string, unknown>).image : null;
    return typeof image === 'string' ? findTarget(image.trim(), true) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The JSON in an address that is the file itself; null = it is none. */
export function readDataJson(text: string): string | null {
  const [, isBase64, content] = /^data:application\/json(?:;(?:charset=)?utf-?8)?(;base64)?,(.*)$/is.exec(text) ?? [];
  if (content === undefined) return null;
  if (isBase64) return Buffer.from(content, 'base64').toString('utf8');
  // Many contracts leave out the escapes.
  return content.startsWith('{') ? content : decodeOrNull(content);
}

function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

function placesOf(target: Target): readonly Place[] {
  if (target.kind === 'file') return gateways[target.scheme];
  if (target.kind === 'inline') return [{ name: ledger, base: '', sources: [] }];
  const { host, origin } = target.url;
  // A policy is a list with blanks and semicolons: only what is surely a host gets into it. None is called as the ledger is.
  return /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && host !== ledger ? [{ name: host, base: '', sources: [origin] }] : [];
}

function addressOf(target: Exclude<Target, { kind: 'inline' }>, { base }: Place): string {
  return target.kind === 'file' ? base + target.rest : target.url.href;
}

function wordsOf(target: Target, { name }: Place): Markup {
  return target.kind === 'inline'
    ? html`From the ledger itself.`
    : html`Loaded by your browser from ${name}. Nobody has checked it.`;
}

/** `words`: null = the page says it once. */
function show(target: Target, place: Place, words: Markup | null): Markup {
  if (target.kind === 'inline') return figure(image(target.source), words);
  const address = addressOf(target, place);
  if (target.isImage) return figure(image(address), words);
  const without = html`<noscript>To find the picture in its description takes a script.</noscript>`;
  return html`<figure class="picture" data-described="${address}" data-ipfs="${place.base}"><p class="faint">Asking ${place.name} &hellip;</p>${without}${caption(words)}</figure>`;
}

function image(source: string): Markup {
  return html`<img src="${source}" alt="The picture of this NFT" loading="lazy">`;
}

function figure(shown: Markup, words: Markup | null): Markup {
  return html`<figure class="picture">${shown}${caption(words)}</figure>`;
}

function caption(words: Markup | null): Markup | null {
  return words && html`<figcaption class="faint">${words}</figcaption>`;
}

function allow(target: Target, { sources }: Place): AllowedSources {
  const isDescribed = target.kind !== 'inline' && !target.isImage;
  return { images: ['data:', ...sources], connects: isDescribed ? sources : [] };
}

/** null: no item names a place. */
function offerChoice(path: string, names: readonly string[], kept: Readonly<Record<string, string>>): Markup | null {
  if (names.length === 0) return null;
  const options = names.map(
    (name) => html`<option value="${name}">${name === ledger ? 'the ledger itself' : name}</option>`,
  );
  const hidden = Object.entries(kept).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="filters" action="${path}">${hidden}<label>From <select name="picture">${options}</select></label>
<button>Show the pictures</button></form>
<p class="faint">Your browser then asks that host, which sees your address. Nothing is loaded before.</p>`;
}

function offer(path: string, places: readonly Place[]): Markup {
  const [only, ...others] = places;
  if (only === undefined) return html``;
  if (only.name === ledger) {
    return html`<form class="filters" action="${path}"><button name="picture" value="${ledger}">Show the picture</button></form>
<p class="faint">It is in the ledger itself; anyone may have put it there.</p>`;
  }
  const chosen =
    others.length === 0
      ? html`<button name="picture" value="${only.name}">Show the picture from ${only.name}</button>`
      : html`<label>From <select name="picture">${places.map(({ name }) => html`<option value="${name}">${name}</option>`)}</select></label>
<button>Show the picture</button>`;
  return html`<form class="filters" action="${path}">${chosen}</form>
<p class="faint">Your browser then asks that host, which sees your address. Nothing is loaded before.</p>`;
}
