// Names that those who run this mirror give to entities. Shown as text beside ids; an address among them is opened by a
// click in the visitor's browser alone.
import { html } from '../../../packages/kit/markup.ts';
import type { ShownLabel } from '../page/links.ts';
import { foreignLink } from './foreign-link.ts';
import { foreignText } from './foreign-text.ts';

/** By packed id, whatever kind of entity it is. */
export type Labels = ReadonlyMap<bigint, Label>;

export type Label = {
  name: string;
  /** http or https. */
  url: string | null;
  /** Of a picture; http or https. */
  icon: string | null;
  /** A picture that this server has. */
  logo: Logo | null;
};

export type Logo = {
  /** Has the hash of the picture, so that browsers keep it. */
  fileName: string;
  bytes: Uint8Array;
  contentType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
};

/** Characters of a name beside an id. */
const maxBeside = 40;

/** Made once for all pages. `start`: of the pages of this network. */
export function showLabels(labels: Labels, start: string): ReadonlyMap<bigint, ShownLabel> {
  return new Map([...labels].map(([id, label]) => [id, showLabel(label, start)]));
}

/** Where pages look for logos. */
export const logosPath = '/assets/logos';

export function logosByName(labels: Labels): ReadonlyMap<string, Logo> {
  return new Map([...labels.values()].flatMap(({ logo }) => (logo === null ? [] : [[logo.fileName, logo] as const])));
}

function showLabel({ name, url, icon, logo }: Label, start: string): ShownLabel {
  const site = url === null ? null : html` Its site: ${foreignLink(url, start, { max: 80 })}.`;
  const picture = icon === null ? null : html` Its picture: ${foreignLink(icon, start, { max: 80 })}.`;
  const drawn =
    logo === null ? null : html`<img class="logo" src="${logosPath}/${logo.fileName}" alt="" loading="lazy">`;
  return {
    name,
    beside: html` <span class="label">${drawn}${foreignText(name, { max: maxBeside })}</span>`,
    line: html`\n<p class="lead">${drawn}Called <strong>${foreignText(name)}</strong> by those who run this mirror.${site}${picture}</p>`,
  };
}
