// Amounts as people read them: digits in groups of three, exact, with the unit beside them.
import { html, type Markup, toMarkupText, trustedMarkup } from '../../../packages/kit/markup.ts';

const tinybarDigits = 8;
/** The code of the digit 0. */
const zero = 48;

/** `1,234,567` */
export function formatCount(value: bigint | number): string {
  return groupDigits(value.toString());
}

/** Of a whole number, with or without a minus. */
function groupDigits(text: string): string {
  const start = text.startsWith('-') ? 1 : 0;
  let end = text.length - 3;
  if (end <= start) return text;
  let grouped = text.slice(end);
  for (; end - 3 > start; end -= 3) grouped = `${text.slice(end - 3, end)},${grouped}`;
  return `${text.slice(0, end)},${grouped}`;
}

/**
 * A whole number of the smallest unit as a decimal fraction, without zeros at its end. `digits`: after the point, ≥ 0.
 */
export function formatFraction(value: bigint, digits: number): string {
  const sign = value < 0n ? '−' : '';
  if (digits === 0) return formatCount(value).replace('-', sign);
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, '0');
  const whole = groupDigits(text.slice(0, -digits));
  let end = text.length;
  while (end > text.length - digits && text.charCodeAt(end - 1) === zero) end -= 1;
  const rest = text.slice(text.length - digits, end);
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** The same for files: a point, a minus of ASCII, no groups. */
export function formatPlainFraction(value: bigint, digits: number): string {
  return formatFraction(value, digits).replaceAll(',', '').replace('−', '-');
}

/** `tinybar`: of hbar. */
export function hbar(tinybar: bigint): Markup {
  const amount = toMarkupText(formatFraction(tinybar, tinybarDigits));
  return trustedMarkup(`<span class="amount">${amount} <abbr title="hbar">&hbar;</abbr></span>`);
}

/** The same with its sign, for what comes and goes. */
export function hbarChange(tinybar: bigint): Markup {
  return change(tinybar, hbar(tinybar));
}

/**
 * `value`: in the token's smallest unit. A token may have up to 2^31 decimals; more than a few are no use to a reader.
 */
export function tokenAmount(value: bigint, decimals: bigint | number): string {
  const digits = Number(decimals);
  return digits <= maxDecimals ? formatFraction(value, digits) : `${formatCount(value)} × 10^−${digits}`;
}

export function tokenChange(value: bigint, decimals: bigint | number, unit: Markup): Markup {
  return change(value, html`<span class="amount">${tokenAmount(value, decimals)} ${unit}</span>`);
}

/** More are shown as a power of ten. */
const maxDecimals = 100;

function change(value: bigint, shown: Markup): Markup {
  if (value === 0n) return shown;
  return value > 0n ? html`<span class="plus">+${shown}</span>` : html`<span class="minus">${shown}</span>`;
}

/** A part of a whole in per cent, with the digits that it needs: `12.3 %`, `0.0042 %`. */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole === 0n) return '–';
  const millionths = (part * 100_000_000n) / whole;
  if (millionths === 0n && part !== 0n) return '< 0.000001 %';
  const digits = millionths >= 1_000_000n ? 2 : 6;
  const scaled = digits === 2 ? millionths / 10_000n : millionths;
  return `${formatFraction(scaled, digits)} %`;
}
