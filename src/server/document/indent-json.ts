// JSON text with line breaks and indentation and unchanged values: no number is parsed, so none is rounded. Its source
// text is also sent to the browser, so it uses nothing from outside itself.

/** Text that is not JSON comes back with other white space at worst. */
export function indentJson(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let depth = 0;
  let out = '';
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    const breakLine = (): string => `\n${'  '.repeat(depth)}`;
    if (token === '{' || token === '[') {
      depth += 1;
      out += next === '}' || next === ']' ? token : token + breakLine();
    } else if (token === '}' || token === ']') {
      depth = Math.max(0, depth - 1);
      const before = tokens[index - 1];
      out += before === '{' || before === '[' ? token : breakLine() + token;
    } else if (token === ',') out += token + breakLine();
    else out += token === ':' ? ': ' : token;
  }
  return out;
}
