// A source in pieces of one kind: enough to tell comments, texts and keywords apart, whatever the source is. Nothing
// here fails: what is no piece of a language is plain.

export type SourceToken = { kind: 'plain' | 'comment' | 'text' | 'keyword'; text: string };

export function* readTokens(source: string, language: string): Generator<SourceToken> {
  const isVyper = language === 'Vyper';
  let end = 0;
  for (const match of source.matchAll(isVyper ? vyperToken : solidityToken)) {
    const [text] = match;
    const kind = kindOf(match, isVyper ? vyperWords : solidityWords);
    if (kind === 'plain') continue;
    if (match.index > end) yield { kind: 'plain', text: source.slice(end, match.index) };
    yield { kind, text };
    end = match.index + text.length;
  }
  if (end < source.length) yield { kind: 'plain', text: source.slice(end) };
}

// Every alternative begins with another character and has no choice within, so that the effort grows with the length
// alone. A text ends with its line; a comment that never ends is one to the end.
const solidityToken =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|[A-Za-z_$][\w$]*/g;
const vyperToken = /(?<comment>#[^\n]*)|(?<text>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|[A-Za-z_][\w]*/g;

function kindOf({ 0: text, groups }: RegExpMatchArray, words: ReadonlySet<string>): SourceToken['kind'] {
  if (groups?.comment !== undefined) return 'comment';
  if (groups?.text !== undefined) return 'text';
  return words.has(text) ? 'keyword' : 'plain';
}

/** https://docs.soliditylang.org/en/v0.8.28/grammar.html, without types of numbers and bytes; and Yul's. */
const solidityWords = new Set(
  `abstract address anonymous as assembly assert bool break calldata case catch constant constructor continue contract
  default delete do else emit enum error event external fallback false final for function if immutable import
  indexed interface internal is leave let library mapping memory modifier new object override payable pragma private
  public pure receive require return returns revert storage string struct super switch this transient true try type unchecked
  unicode using view virtual while`.split(/\s+/),
);

const vyperWords = new Set(
  `and as assert break class continue def elif else enum event exports external False flag for from if implements import in
  indexed initializes interface internal immutable log not or nonpayable nonreentrant pass payable pure public raise return self
  struct transient True uses view while`.split(/\s+/),
);
