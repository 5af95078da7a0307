// The id of a request, which its answer repeats as it came: of a number every digit, however long it is.

/** A number that would be another if it was read and written again. */
class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type ReviverContext = { source?: string };

/** If nothing matches, every number that is an id is written as it was read. Letters of names may be escaped. */
const unusualId = /"(?:i|\\u0069)(?:d|\\u0064)"\s*:\s*(?:-?\d{16}|-?\d+[.eE]|-0)/;

/** The parsed JSON, in which members `id` may be exact numbers for `writeId`. Throws SyntaxError. */
export function parseRequests(text: string): unknown {
  if (!unusualId.test(text)) return JSON.parse(text);
  const reviver = (name: string, value: unknown, context?: ReviverContext): unknown => {
    if (name !== 'id' || typeof value !== 'number') return value;
    const source = context?.source;
    return source === undefined || source === JSON.stringify(value) ? value : new ExactNumber(source);
  };
  return JSON.parse(text, reviver as (name: string, value: unknown) => unknown);
}

/** As JSON; undefined = no request can have this id. */
export function writeId(id: unknown): string | undefined {
  if (id instanceof ExactNumber) return id.source;
  return id === null || typeof id === 'string' || typeof id === 'number' ? JSON.stringify(id) : undefined;
}
