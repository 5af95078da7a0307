// Bytes that people wrote, shown as the text that they are, or in hex.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { hexBytes } from './bytes.ts';
import { decodeText } from './decode-text.ts';
import { foreignBlock, foreignText } from './foreign-text.ts';

type DecodedBytesOptions = {
  /** Characters of text that are shown. */
  max?: number;
  /** Whether JSON stays as it was written; otherwise it has a member a line. */
  isAsWritten?: boolean;
  /** Shown for none. */
  none?: MarkupValue;
};

/** `kind`: what they were taken for, in a word. */
export function decodedBytes(
  bytes: Uint8Array,
  { max = 10_000, isAsWritten = false, none = html`<span class="faint">empty</span>` }: DecodedBytesOptions = {},
): { kind: string; shown: MarkupValue } {
  if (bytes.length === 0) return { kind: 'empty', shown: none };
  const decoded = decodeText(bytes, { isAsWritten });
  if (decoded.kind === 'bytes') return { kind: 'bytes', shown: hexBytes(bytes, { max: Math.floor(max / 2) }) };
  const { kind, text } = decoded;
  return { kind: kind === 'json' ? 'JSON' : 'text', shown: foreignBlock(text, { max }) };
}

/** On one line, as in a row of a table. */
export function briefBytes(bytes: Uint8Array, max = 120): Markup | MarkupValue {
  if (bytes.length === 0) return null;
  const decoded = decodeText(bytes, { isAsWritten: true });
  if (decoded.kind === 'bytes') return hexBytes(bytes, { folded: 24, max });
  return foreignText(decoded.text, { max });
}
