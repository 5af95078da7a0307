// Untrusted JSON: refused before it is parsed if it nests deeper or holds more values than real documents do, so that a
// small text cannot become a huge tree or a stack overflow.

export type JsonLimits = { maxDepth?: number; maxValues?: number };

/** Throws a SyntaxError that names the limit. */
export function parseModestJson(text: string, { maxDepth = 64, maxValues = 200_000 }: JsonLimits = {}): unknown {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) throw new SyntaxError(`JSON nested deeper than ${maxDepth} levels, at position ${at}`);
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
    else if (code === comma) values += 1;
    if (values > maxValues) throw new SyntaxError(`JSON with more than ${maxValues} values`);
  }
  return JSON.parse(text);
}

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Position of the closing quote, or of the end without one. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text[at - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
