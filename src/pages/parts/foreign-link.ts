// Addresses that anyone may have written into the ledger. One that names a file elsewhere becomes a link: a browser
// asks that host only after a click, and sends it nothing of this page; the server never does. Everything else stays
// text.
import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { type ForeignTextOptions, foreignText } from './foreign-text.ts';
import { gateways, readDistributed } from './gateways.ts';

/** `start`: of the pages of this network, for files that lie in topics. */
export function foreignLink(text: string, start: string, options: ForeignTextOptions = {}): MarkupValue {
  const target = findTarget(text.trim(), start);
  if (target === null) return foreignText(text, options);
  const { href, where } = target;
  const place = where === null ? null : html` <span class="faint">(opens ${foreignText(where, { max: 80 })})</span>`;
  return html`<a href="${href}" rel="noopener noreferrer nofollow ugc">${foreignText(text, options)}</a>${place}`;
}

type Target = {
  href: string;
  /** The host; null = this server. */
  where: string | null;
};

const maxLength = 2000;

/** null = the text is no address that may be opened. */
export function findTarget(text: string, start: string): Target | null {
  // No blank, no control or format character: what is shown must be what is opened.
  if (text.length > maxLength || !/^[\x21-\x7e]+$/.test(text)) return null;
  const topic = /^hcs:\/\/\d{1,3}\/(\d{1,4}\.\d{1,5}\.\d{1,12})$/i.exec(text);
  if (topic) return { href: `${start}/topic/${topic[1]}`, where: null };
  const file = readDistributed(text);
  if (file) return toTarget(gateways[file.scheme][0].base + file.rest);
  return /^https?:\/\//i.test(text) ? toTarget(text) : null;
}

/** Names and passwords in an address make it look like another host's. */
function toTarget(text: string): Target | null {
  if (!URL.canParse(text)) return null;
  const { href, host, username, password } = new URL(text);
  return username === '' && password === '' && host !== '' ? { href, where: host } : null;
}
