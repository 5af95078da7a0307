// Pictures that NFTs name. Nothing is loaded before the visitor chooses from where: then the same page comes again, with
// a policy that lets the browser ask that host, and no other. This server never asks any.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import type { AllowedSources } from '../page/page.ts';

export type PicturePart = { shown: Markup; allows: AllowedSources | null };

type Place = {
  /** As the query names it, and as people read it. */
  name: string;
  /** Where addresses of the scheme begin. */
  base: string;
  sources: readonly string[];
};

/** Who serves files of distributed storage over HTTPS; some send browsers on to a host of each file. */
const gateways: Readonly<Record<'ipfs' | 'ar', readonly Place[]>> = {
  ipfs: [
    { name: 'ipfs.io', base: 'https://ipfs.io/ipfs/', sources: ['https://ipfs.io'] },
    { name: 'dweb.link', base: 'https://dweb.link/ipfs/', sources: ['https://dweb.link', 'https://*.ipfs.dweb.link'] },
    {
      name: 'gateway.pinata.cloud',
      base: 'https://gateway.pinata.cloud/ipfs/',
      sources: ['https://gateway.pinata.cloud'],
    },
  ],
  ar: [
    { name: 'arweave.net', base: 'https://arweave.net/', sources: ['https://arweave.net', 'https://*.arweave.net'] },
  ],
};

const ledger = 'ledger';
const maxText = 300_000;
const maxAddress = 2_000;

type Target =
  /** The picture itself. */
  | { kind: 'inline'; source: string }
  /** `isImage`: else a file that describes it, or is it. */
  | { kind: 'file'; scheme: 'ipfs' | 'ar'; rest: string; isImage: boolean }
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
    ? { shown: show(target, place), allows: allow(target, place) }
    : { shown: offer(path, places), allows: null };
}

function findTarget(text: string, isImage: boolean): Target | null {
  if (/^data:image\/[\w.+-]+[;,]/i.test(text)) return { kind: 'inline', source: text };
  const described = text.startsWith('{') ? text : readDataJson(text);
  if (described !== null) return isImage ? null : findImage(described);
  if (text.length > maxAddress || !/^[\x21-\x7e]+$/.test(text)) return null;
  const [, scheme, rest] = /^(ipfs|ar):\/\/(?:ipfs\/)?([A-Za-z0-9][\w./%+~-]*)$/i.exec(text) ?? [];
  if (scheme && rest) return { kind: 'file', scheme: scheme.toLowerCase() as 'ipfs' | 'ar', rest, isImage };
  if (/^(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|baf[a-z2-7]{56,})(?:\/[\w./%+~-]*)?$/.test(text)) {
    return { kind: 'file', scheme: 'ipfs', rest: text, isImage };
  }
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
  // A policy is a list with blanks and semicolons: only what is surely a host gets into it.
  return /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) ? [{ name: host, base: '', sources: [origin] }] : [];
}

function addressOf(target: Exclude<Target, { kind: 'inline' }>, { base }: Place): string {
  return target.kind === 'file' ? base + target.rest : target.url.href;
}

function show(target: Target, place: Place): Markup {
  if (target.kind === 'inline') return figure(image(target.source), 'From the ledger itself.');
  const address = addressOf(target, place);
  const words = html`Loaded by your browser from ${place.name}. Nobody has checked it.`;
  if (target.isImage) return figure(image(address), words);
  const without = html`<noscript>To find the picture in its description takes a script.</noscript>`;
  return html`<figure class="picture" data-described="${address}" data-ipfs="${place.base}"><p class="faint">Asking ${place.name} &hellip;</p>${without}<figcaption class="faint">${words}</figcaption></figure>`;
}

function image(source: string): Markup {
  return html`<img src="${source}" alt="The picture of this NFT">`;
}

function figure(shown: Markup, words: MarkupValue): Markup {
  return html`<figure class="picture">${shown}<figcaption class="faint">${words}</figcaption></figure>`;
}

function allow(target: Target, { sources }: Place): AllowedSources {
  const isDescribed = target.kind !== 'inline' && !target.isImage;
  return { images: ['data:', ...sources], connects: isDescribed ? sources : [] };
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
