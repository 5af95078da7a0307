// Which members of answers have been seen with a value, and with how many: what is always the same proves nothing.

export type FieldCount = {
  /** Counts all members of an answer of this endpoint. */
  count(endpoint: string, answer: unknown): void;
  /** Members that were nothing (null, empty) in every answer. */
  neverFilled(): string[];
  /** Members that were never nothing. */
  neverEmpty(): string[];
  /** Members that were the same in every answer. */
  neverVarying(): string[];
};

export function createFieldCount(): FieldCount {
  /** Up to two values each, and nothing. */
  const seen = new Map<string, Set<string>>();
  const note = (path: string, text: string): void => {
    const values = seen.get(path) ?? new Set();
    if (values.size < 2 || text === nothing) values.add(text);
    seen.set(path, values);
  };
  function visit(path: string, value: unknown): void {
    if (Array.isArray(value)) {
      note(path, value.length === 0 ? nothing : `${value.length} of them`);
      for (const one of value) visit(`${path}[]`, one);
    } else if (value !== null && typeof value === 'object') {
      note(path, anObject);
      for (const [name, member] of Object.entries(value)) visit(`${path}.${name}`, member);
    } else note(path, value === null || value === '' || value === '0x' ? nothing : String(value));
  }
  const pathsWhere = (test: (values: Set<string>) => boolean): string[] =>
    [...seen].filter(([, values]) => test(values)).map(([path]) => path);
  return {
    count: (endpoint, answer) => visit(endpoint.replace(/\?.*/, ''), answer),
    neverFilled: () => pathsWhere((values) => [...values].every((value) => value === nothing)),
    neverEmpty: () => pathsWhere((values) => !values.has(nothing)),
    neverVarying: () => pathsWhere((values) => values.size === 1 && !values.has(anObject)),
  };
}

const nothing = '';
const anObject = '{}';
