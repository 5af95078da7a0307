// Bytes that people wrote, as what they are: JSON, other text, or bytes.
import { isUtf8 } from 'node:buffer';

export type DecodedText =
  | { kind: 'json'; text: string }
  | { kind: 'text'; text: string }
  /** Not UTF-8, or control characters like those of binary data. */
  | { kind: 'bytes' };

/** Longer JSON is shown as it was written. */
const maxJsonLength = 16_384;
const maxDepth = 100;

/** `isAsWritten`: JSON is not looked for, and is text. */
export function decodeText(bytes: Uint8Array, { isAsWritten = false } = {}): DecodedText {
  if (!isUtf8(bytes)) return { kind: 'bytes' };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (binary.test(text)) return { kind: 'bytes' };
  const indented = !isAsWritten && text.length <= maxJsonLength && /^\s*[[{]/.test(text) ? indentJson(text) : null;
  return indented === null ? { kind: 'text', text } : { kind: 'json', text: indented };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** A member or item on each line, with every number and text as it was written; null = no JSON, or too deep. */
export function indentJson(text: string): string | null {
  const value = parseJson(text);
  if (value === undefined) return null;
  // What programs write comes out as it went in, and takes a tenth of the time.
  const isPlain = text.split(opening, maxDepth + 2).length <= maxDepth + 1 && JSON.stringify(value) === text;
  return isPlain ? JSON.stringify(value, null, 2) : indentTokens(text);
}

/** What is one deeper behind each, at most. */
const opening = /[[{]/;

function indentTokens(text: string): string | null {
  const parts: string[] = [];
  let depth = 0;
  let last = '';
  for (const [token] of text.matchAll(jsonToken)) {
    const closes = token === '}' || token === ']';
    const isAfterBegin = last === '{' || last === '[';
    if (closes) depth -= 1;
    // An empty list or object stays on its line.
    if (closes ? !isAfterBegin : isAfterBegin || last === ',') parts.push(`\n${'  '.repeat(depth)}`);
    parts.push(token === ':' ? ': ' : token);
    if (token === '{' || token === '[') depth += 1;
    if (depth > maxDepth) return null;
    last = token;
  }
  return parts.join('');
}

/** undefined = it is none. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** As it was written; null = the bytes are no text. */
export function exactText(bytes: Uint8Array): string | null {
  const decoded = decodeText(bytes, { isAsWritten: true });
  return decoded.kind === 'bytes' ? null : decoded.text;
}
