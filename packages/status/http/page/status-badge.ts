// A small SVG that other pages embed: the name on the left, the state on the right, in words and with a sign.
import { html } from '../../../kit/markup.ts';
import type { ComponentRecord } from '../../status-state.ts';
import { dayWords, impactWords, type StateWords } from './state-words.ts';
import type { StatusView } from './status-view.ts';

/** White text has a contrast of 4.5 : 1 or better on each of them. */
const colours: Record<string, string> = {
  ok: '#1a7f37',
  degraded: '#8a6100',
  partial: '#b4480f',
  major: '#b3261e',
  maintenance: '#2459b8',
  nodata: '#5b6675',
};

/** Of the whole page, or of one component. */
export function formatStatusBadge({ page, overall }: StatusView, component?: ComponentRecord): string {
  if (component) {
    const words = dayWords[component.status];
    return drawBadge(component.name, words.label, words);
  }
  return drawBadge(page.name, overall.description, impactWords[overall.indicator]);
}

function drawBadge(label: string, text: string, { sign, className }: StateWords): string {
  const right = `${sign} ${text}`;
  const left = measure(label);
  const total = left + measure(right);
  const name = `${label}: ${text}`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" role="img" aria-label="${name}"><title>${name}</title><clipPath id="r"><rect width="${total}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3d4652"/><rect x="${left}" width="${total - left}" height="20" fill="${colours[className]!}"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${left / 2}" y="14">${label}</text><text x="${(left + total) / 2}" y="14">${right}</text></g></svg>
`.markup;
}

/** Width in px of a text of this size with padding; an SVG cannot measure text. */
function measure(text: string): number {
  let width = 12;
  for (const character of text) width += narrow.has(character) ? 4 : wide.test(character) ? 8.8 : 7;
  return Math.ceil(width);
}

const narrow = new Set("iljtfI.,:;|'! ()");
const wide = /[A-ZmwMW✓◐▲✕⚒]/u;
