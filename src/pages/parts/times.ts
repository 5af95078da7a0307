// Times: in UTC, to the nanosecond where they name something.
import { html, type Markup, trustedMarkup } from '../../../packages/kit/markup.ts';
import { formatInstant, formatSecond, formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';

/** ns → `2026-11-27 20:18:51`, in UTC as the page says at its end; the whole timestamp is its title. */
export function moment(timestamp: bigint): Markup {
  const second = formatSecond(timestamp);
  // Digits only: every row of a list has one, and to look for what must be escaped takes half of the time.
  return trustedMarkup(
    `<time datetime="${second}" title="${formatTimestamp(timestamp)}">${second.slice(0, 10)} ${second.slice(11, 19)}</time>`,
  );
}

/** ns → `20:18:51` in UTC, where the day is plain; the whole timestamp is its title. */
export function timeOfDay(timestamp: bigint): Markup {
  const second = formatSecond(timestamp);
  return html`<time datetime="${second}" title="${formatTimestamp(timestamp)}">${second.slice(11, 19)}</time>`;
}

/** ns → `2026-11-27 20:18:51.123456789 UTC` */
export function exactMoment(timestamp: bigint): Markup {
  const instant = formatInstant(timestamp).replaceAll('_', ':');
  return html`<time datetime="${formatSecond(timestamp)}">${instant.slice(0, 10)} ${instant.slice(11, -1)} UTC</time>`;
}

/** ns → `2026-11-27` in UTC */
export function formatDay(timestamp: bigint): string {
  return formatInstant(timestamp).slice(0, 10);
}

const units: readonly [name: string, seconds: bigint][] = [
  ['day', 86_400n],
  ['hour', 3600n],
  ['minute', 60n],
  ['second', 1n],
];

/** A duration in whole units, the largest that it has twice: `3 days`, `90 seconds`. */
export function formatDuration(seconds: bigint): string {
  const [name, size] = units.find(([, candidate]) => seconds >= candidate * 2n) ?? units.at(-1)!;
  const count = seconds < 0n ? 0n : seconds / size;
  return `${count} ${name}${count === 1n ? '' : 's'}`;
}

/** `now` and `timestamp` in ns. The page that shows it depends on the time. */
export function age(timestamp: bigint, now: bigint): Markup {
  const second = formatSecond(timestamp);
  return html`<time datetime="${second}" title="${second}">${formatDuration((now - timestamp) / 1_000_000_000n)} ago</time>`;
}
