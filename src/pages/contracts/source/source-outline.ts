// What a source defines, and in which lines: for a list of links, for folding, and for links from where names are used.
// Nothing here fails: what is no definition of the language is none.

import { readTokens } from './source-tokens.ts';

export type Definition = {
  /** As in the source: `contract`, `function`. */
  kind: string;
  name: string;
  line: number;
  /** 0 = it is in nothing else. */
  depth: number;
  /** Of its last brace; null = it has none. */
  endLine: number | null;
};

/** Longer sources have no outline: they would be read from their first line for each part. */
const maxSource = 400_000;
const maxDefinitions = 5_000;
const kinds = new Set(
  'contract interface library struct enum error event modifier function constructor receive fallback type object def'.split(
    ' ',
  ),
);
/** Those without a name of their own. */
const unnamed = new Set(['constructor', 'receive', 'fallback']);

export function outlineOf(source: string, language: string): Definition[] {
  const definitions: Definition[] = [];
  if (source.length > maxSource) return definitions;
  /** Whose braces are open; null = those of something else. */
  const open: (Definition | null)[] = [];
  let line = 1;
  let begun: { kind: string; line: number } | null = null;
  /** Has a name, and no brace or semicolon yet. */
  let named: Definition | null = null;
  const define = (name: string): void => {
    named = { kind: begun!.kind, name, line: begun!.line, depth: open.length, endLine: null };
    definitions.push(named);
    begun = null;
  };
  for (const { kind, text } of readTokens(source, language)) {
    if (definitions.length >= maxDefinitions) break;
    if (kind === 'keyword') {
      begun = kinds.has(text) && (open.length === 0 || text !== 'type') ? { kind: text, line } : null;
      if (begun && unnamed.has(text)) define(text);
    } else if (kind === 'text' && begun?.kind === 'object') define(text.slice(1, -1));
    else if (kind === 'plain') {
      const name = begun && /^\s+([A-Za-z_$][\w$]*)/.exec(text)?.[1];
      if (name) define(name);
      if (text.trim() !== '') begun = null;
      for (const [mark] of text.matchAll(/[{};\n]/g)) {
        if (mark === '\n') line += 1;
        else if (mark === '{') {
          open.push(named);
          named = null;
        } else if (mark === ';') named = null;
        else {
          const closed = open.pop();
          if (closed) closed.endLine = line;
        }
      }
      continue;
    }
    line += text.split('\n').length - 1;
  }
  return definitions;
}

/** The line of each name that the source defines once. */
export function linesOfNames(definitions: readonly Definition[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number | null>();
  for (const { kind, name, line } of definitions) {
    if (!unnamed.has(kind)) lines.set(name, lines.has(name) ? null : line);
  }
  return new Map([...lines].flatMap(([name, line]) => (line === null ? [] : [[name, line] as const])));
}
