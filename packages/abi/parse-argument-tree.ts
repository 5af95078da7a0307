// The text of a list or tuple as a tree: `[1, 2]`, `(a, "b c")`, `{"name": [0x12]}`. JSON is read as it is, and nothing
// needs quotation marks that has no comma or bracket in it.

export type ArgumentTree =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: ArgumentTree[] }
  | { kind: 'members'; members: Map<string, ArgumentTree> };

const maxDepth = 24;
const maxItems = 10_000;
const closing: Record<string, string> = { '[': ']', '(': ')', '{': '}' };

export function parseArgumentTree(text: string): ArgumentTree | { problem: string } {
  let at = 0;
  let left = maxItems;
  let problem: string | null = null;
  const nothing: ArgumentTree = { kind: 'text', text: '' };

  const fail = (sentence: string): ArgumentTree => {
    problem ??= sentence;
    return nothing;
  };
  const skip = (): void => {
    while (/\s/.test(text[at] ?? '')) at += 1;
  };

  function value(depth: number): ArgumentTree {
    skip();
    if (--left < 0) return fail(`more than ${maxItems} values`);
    if (depth > maxDepth) return fail(`deeper than ${maxDepth} levels`);
    const first = text[at] ?? '';
    if (first === '{') return members(depth);
    if (first in closing) return list(closing[first]!, depth);
    return { kind: 'text', text: first === '"' ? quoted() : word() };
  }

  function list(end: string, depth: number): ArgumentTree {
    const items: ArgumentTree[] = [];
    each(end, () => items.push(value(depth + 1)));
    return { kind: 'list', items };
  }

  function members(depth: number): ArgumentTree {
    const found = new Map<string, ArgumentTree>();
    each('}', () => {
      const name = text[at] === '"' ? quoted() : word();
      if (text[at] !== ':') return fail(`a colon is missing after ${JSON.stringify(name.slice(0, 60))}`);
      at += 1;
      if (found.has(name)) return fail(`the member ${JSON.stringify(name.slice(0, 60))} stands twice`);
      return found.set(name, value(depth + 1));
    });
    return { kind: 'members', members: found };
  }

  /** From the opening bracket to behind the closing one. */
  function each(end: string, read: () => unknown): void {
    at += 1;
    skip();
    if (text[at] === end) {
      at += 1;
      return;
    }
    while (problem === null) {
      skip();
      read();
      skip();
      const after = text[at];
      at += 1;
      if (after === end) return;
      if (after !== ',') fail(after === undefined ? `the closing ${end} is missing` : `a comma or ${end} is missing`);
    }
  }

  function quoted(): string {
    const pattern = /"(?:[^"\\]|\\.)*"/sy;
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
    if (found === undefined) {
      fail('a closing quotation mark is missing');
      return '';
    }
    at += found.length;
    skip();
    try {
      return JSON.parse(found) as string;
    } catch {
      fail(`${found.slice(0, 60)} is no text as in JSON`);
      return '';
    }
  }

  function word(): string {
    const start = at;
    while (at < text.length && !',:[](){}"'.includes(text[at]!)) at += 1;
    const found = text.slice(start, at).trim();
    if (found === '') fail('a value is missing');
    return found;
  }

  const tree = value(0);
  skip();
  if (problem === null && at < text.length) fail(`${JSON.stringify(text.slice(at, at + 20))} stands behind the end`);
  return problem === null ? tree : { problem };
}
