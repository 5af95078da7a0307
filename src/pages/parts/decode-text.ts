// Bytes that people wrote, as what they are: JSON, other text, or bytes.

export type DecodedText =
  | { kind: 'json'; text: string }
  | { kind: 'text'; text: string }
  /** Not UTF-8, or control characters like those of binary data. */
  | { kind: 'bytes' };

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Longer JSON is shown as it was written. */
const maxJsonLength = 16_384;
const maxDepth = 100;

export function decodeText(bytes: Uint8Array): DecodedText {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return { kind: 'bytes' };
    throw error;
  }
  if (binary.test(text)) return { kind: 'bytes' };
  const indented = text.length <= maxJsonLength && /^\s*[[{]/.test(text) ? indentJson(text) : null;
  return indented === null ? { kind: 'text', text } : { kind: 'json', text: indented };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** A member or item on each line, with every number and text as it was written; null = no JSON, or too deep. */
export function indentJson(text: string): string | null {
  if (!isJson(text)) return null;
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

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return false;
    throw error;
  }
}

const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

/** As it was written; null = the bytes are no text. */
export function exactText(bytes: Uint8Array): string | null {
  return decodeText(bytes).kind === 'bytes' ? null : Buffer.from(bytes).toString('utf8');
}
