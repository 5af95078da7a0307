// Which names this service may be asked by, and which pages may ask it for more than to read. A browser on this machine
// reaches services that no other client does, and runs pages of anybody: a page that is not from here names its site in
// `Origin`, and one whose name was pointed at this machine after it was loaded (DNS rebinding) names itself in `Host`.
import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import { isLoopbackName } from '../kit/loopback-name.ts';
import type { Refusal } from './request-error.ts';

export type WebAccess = {
  /** Names in small letters, `*.example.org` for all below one; addresses and names of this machine are not listed. */
  hosts: readonly string[] | 'all';
  /** As browsers write them, e.g. `https://example.org:8443`; the service's own pages are not listed. */
  origins: readonly string[] | 'all';
  /** Whether pages of this machine and extensions of browsers may ask, too. */
  takesLocalPages: boolean;
};

export const accessForAll: WebAccess = { hosts: 'all', origins: 'all', takesLocalPages: true };
/** Of a service that only this machine uses. */
export const localAccess: WebAccess = { hosts: [], origins: [], takesLocalPages: true };

/** null = it may ask. */
export function refuseStranger(headers: IncomingHttpHeaders, access: WebAccess): Refusal | null {
  const { host = '' } = headers;
  if (!isAllowedHost(host, access)) return { code: 'hostNotAllowed', data: { host: shorten(host) } };
  const { origin } = headers;
  if (isAllowedPage(headers, access)) return null;
  return { code: 'originNotAllowed', data: { origin: shorten(origin ?? 'another site') } };
}

/** A name that another party could have pointed here is no address, and browsers always send one. */
function isAllowedHost(host: string, { hosts }: WebAccess): boolean {
  if (hosts === 'all' || host === '') return true;
  const name = nameOf(host);
  if (name === null) return false;
  if (isIP(name) !== 0 || isLoopbackName(name)) return true;
  return hosts.some((listed) => (listed.startsWith('*.') ? name.endsWith(listed.slice(1)) : name === listed));
}

/** Without port, brackets and the dot of the root; null = no host at all. */
function nameOf(host: string): string | null {
  const [, address, name] = /^(?:\[([\da-f:.]+)\]|([^\s:@/?#[\]]+))(?::\d{0,5})?$/i.exec(host) ?? [];
  return (address ?? name)?.replace(/\.$/, '').toLowerCase() ?? null;
}

function isAllowedPage(headers: IncomingHttpHeaders, { origins, takesLocalPages }: WebAccess): boolean {
  if (origins === 'all') return true;
  const { origin, host, 'sec-fetch-site': site } = headers;
  // Browsers write this header themselves: a page of this service, or an address that was typed.
  if (site === 'same-origin' || site === 'none') return true;
  // Programs send none, and browsers one with each request that is not a GET.
  if (origin === undefined) return site === undefined;
  if (origins.includes(origin)) return true;
  if (takesLocalPages && isOfExtension(origin)) return true;
  const page = /^https?:/.test(origin) && URL.canParse(origin) ? new URL(origin) : null;
  if (page === null) return false;
  return (takesLocalPages && isLoopbackName(page.hostname)) || page.host === hostOf(page.protocol, host);
}

/** Wallets ask from the background of an extension, which the person who uses the browser has installed. */
function isOfExtension(origin: string): boolean {
  return /^(?:chrome|moz|safari-web)-extension:\/\/[\w-]+$/.test(origin);
}

/** As an origin has it: without the usual port of its protocol. */
function hostOf(protocol: string, host = ''): string | null {
  const text = `${protocol}//${host}`;
  return host !== '' && URL.canParse(text) ? new URL(text).host : null;
}

const maxShown = 200;

function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
