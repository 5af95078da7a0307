// Which question a body is, by its bytes without the id: most clients send the same text again and count the id up.
// That a text is this question never changes, so what is remembered here never becomes wrong.
import { LRUCache } from 'lru-cache';

/** `before` and `after`: of the id, a character a byte. */
type Spelling = { before: string; id: string; after: string };

export type SpelledRequests<Question extends object> = {
  /** undefined = no request in these bytes was learned. `id`: as JSON. */
  find(body: Buffer): { id: string; question: Question } | undefined;
  /** `id`: as JSON. `questionBytes`: that the question takes in memory. */
  learn(body: Buffer, id: string, question: Question, questionBytes: number): void;
};

const maxBodyBytes = 4096;
/** Of an entry beside its texts. */
const entryBytes = 400;
const openingBrace = '{'.charCodeAt(0);

/** @param maxBytes of all that is remembered */
export function createSpelledRequests<Question extends object>(maxBytes: number): SpelledRequests<Question> {
  const known = new LRUCache<string, Question>({ maxSize: maxBytes });
  return {
    find(body) {
      const spelling = split(body);
      const question = spelling && known.get(keyOf(spelling));
      return question && { id: spelling.id, question };
    },
    learn(body, id, question, questionBytes) {
      const spelling = split(body);
      const key = spelling && keyOf(spelling);
      if (key === undefined || known.has(key) || !isIdOf(spelling!, id)) return;
      known.set(key, question, { size: entryBytes + key.length + questionBytes });
    },
  };
}

/**
 * An id that is written in one way only, so that it can be repeated as it came: a number that every reader reads
 * exactly, or a plain text. The first member of this name, wherever it stands.
 */
const plainId = /"id": ?(0|-?[1-9]\d{0,14}|"[\w-]{0,64}")/;

function split(body: Buffer): Spelling | undefined {
  if (body.length > maxBodyBytes || body[0] !== openingBrace) return undefined;
  const text = body.toString('latin1');
  const found = plainId.exec(text);
  if (!found) return undefined;
  const [member, id] = found as unknown as [string, string];
  const end = found.index + member.length;
  return { before: text.slice(0, end - id.length), id, after: text.slice(end) };
}

/** JSON has no zero byte: of two texts with one in between, only these two make this one. */
function keyOf({ before, after }: Spelling): string {
  return `${before}\0${after}`;
}

/** Not of `plainId`. */
const other = '?';

/**
 * Whether the place is that of the request's own id, and not of a parameter's, nor followed by another one: the
 * request's id is what stands there, and would be another if another stood there.
 */
function isIdOf({ before, id, after }: Spelling, ofRequest: string): boolean {
  if (ofRequest !== id) return false;
  const changed = Buffer.from(`${before}${JSON.stringify(other)}${after}`, 'latin1').toString();
  try {
    return (JSON.parse(changed) as { id?: unknown }).id === other;
  } catch {
    // More than the id stands there, as in `1e0`.
    return false;
  }
}
