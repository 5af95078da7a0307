// Who gave what to whom as a picture: givers left, receivers right, bands as wide as their amounts. The labels are text
// of the page, one list a side, so that they stay readable on a narrow screen and say the same to those who cannot see
// the bands.
import { area, curveBumpX } from 'd3-shape';
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';

export type FlowParty = {
  who: MarkupValue;
  /** > 0 */
  amount: bigint;
};

export type FlowPictureOptions = {
  title: MarkupValue;
  givers: readonly FlowParty[];
  receivers: readonly FlowParty[];
  format(amount: bigint): MarkupValue;
};

/** More are summed. */
const maxParties = 6;

export function flowPicture({ title, givers, receivers, format }: FlowPictureOptions): Markup {
  const [from, to] = [sumOthers(givers), sumOthers(receivers)];
  return html`<figure class="flow"><figcaption>${title}</figcaption>
<div class="sides">${side('Gave', from, format)}<div class="bands">${draw(from, to)}</div>${side('Received', to, format)}</div></figure>`;
}

/** The largest first. */
function sumOthers(parties: readonly FlowParty[]): readonly FlowParty[] {
  const sorted = parties.toSorted((one, other) => (one.amount > other.amount ? -1 : one.amount < other.amount ? 1 : 0));
  if (sorted.length <= maxParties) return sorted;
  const others = sorted.slice(maxParties - 1);
  return [...sorted.slice(0, maxParties - 1), { who: `${others.length} others`, amount: sumOf(others) }];
}

function side(name: string, parties: readonly FlowParty[], format: FlowPictureOptions['format']): Markup {
  const items = parties.map(({ who, amount }) => html`<li><span>${who}</span> ${format(amount)}</li>`);
  return html`<ul aria-label="${name}">${items}</ul>`;
}

// The picture has no unit: it is stretched over the room between the lists, whose items have equal heights.
const width = 100;
const middle = [48, 52] as const;
const arrowStart = 92;
const heightOfParty = 50;
const minThickness = 1.5;
/** Of the room of a party, and of the whole height. */
const maxOfSlot = 0.8;
const maxOfHeight = 0.5;

function draw(from: readonly FlowParty[], to: readonly FlowParty[]): Markup {
  const height = Math.max(from.length, to.length) * heightOfParty;
  const total = [sumOf(from), sumOf(to)].reduce((one, other) => (one > other ? one : other));
  const share = ({ amount }: FlowParty): number => (total === 0n ? 0 : Number((amount * 1_000_000n) / total) / 1e6);
  const whole = [from, to].reduce((least, parties) => {
    const largest = parties.reduce((most, party) => Math.max(most, share(party)), 0);
    return Math.min(least, (maxOfSlot * (height / parties.length)) / (largest || 1));
  }, maxOfHeight * height);
  const top = (height - whole) / 2;

  // A single party gives all, or gets all: the bands of the others begin or end there.
  const [fromEnd, toStart] =
    from.length > 1 && to.length > 1 ? middle : from.length > 1 ? [arrowStart, arrowStart] : [0, 0];
  const bands = (parties: readonly FlowParty[], [outer, inner]: readonly [number, number]): Markup[] => {
    let at = top;
    return parties.map((party, index) => {
      const thickness = Math.max(minThickness, share(party) * whole);
      const center = ((index + 0.5) * height) / parties.length;
      const path = band([outer, center - thickness / 2], [inner, at], thickness);
      at += share(party) * whole;
      const half = Math.max(thickness / 2 + 2.5, 5);
      const arrow =
        outer === 0
          ? null
          : html`<path class="arrow" d="M${arrowStart} ${round(center - half)}L${width} ${round(center)}L${arrowStart} ${round(center + half)}z"/>`;
      return html`${outer === inner ? null : html`<path class="band" d="${path}"/>`}${arrow}`;
    });
  };
  const pool =
    fromEnd === toStart
      ? null
      : html`<rect class="pool" x="${middle[0]}" y="${round(top)}" width="${middle[1] - middle[0]}" height="${round(Math.max(whole, minThickness))}"/>`;
  return html`<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${bands(from, [0, fromEnd])}${bands(to, [arrowStart, toStart])}${pool}</svg>`;
}

type Point = readonly [x: number, y: number];

/** `from`, `to`: the upper ends. */
function band(from: Point, to: Point, thickness: number): string {
  const shape = area<Point>()
    .x(([x]) => x)
    .y0(([, y]) => y)
    .y1(([, y]) => y + thickness)
    .curve(curveBumpX)
    .digits(1);
  return shape([from, to]) ?? '';
}

function sumOf(parties: readonly FlowParty[]): bigint {
  return parties.reduce((sum, { amount }) => sum + amount, 0n);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
