// Bytes in hex: short ones whole, long ones cut and with a place to open them.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';

type BytesOptions = {
  /** Shown for none; default nothing. */
  none?: MarkupValue;
  /** Bytes that are shown before the value is folded. */
  folded?: number;
  /** Bytes that are shown at most; the number of the others is said. */
  max?: number;
};

/** With `0x`, and a button that copies it where scripts run. */
export function hexBytes(
  bytes: Uint8Array | null,
  { none = null, folded = 64, max = 8192 }: BytesOptions = {},
): MarkupValue {
  if (bytes === null || bytes.length === 0) return none;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length <= folded) return code(`0x${buffer.toString('hex')}`);
  const left = bytes.length - max;
  const more = left > 0 ? html`<p class="faint">&hellip; ${left} more bytes</p>` : null;
  return html`<details class="bytes"><summary><code>0x${buffer.toString('hex', 0, 16)}&hellip;</code> <span class="faint">${bytes.length} bytes</span></summary><pre tabindex="0">0x${buffer.toString('hex', 0, max)}</pre>${more}</details>`;
}

/** A whole text that people copy: an address, a hash, a key. */
export function code(text: string): Markup {
  return html`<code data-copy>${text}</code>`;
}
