// A question of the benchmark: an endpoint's path with what is filled into it, drawn from the ledger that is measured.

export type Question = {
  /** As it stands in tables. */
  name: string;
  /** The endpoint's path as the API document has it. */
  endpoint: string;
  /** With `?…` behind it. Each `{…}` is filled with the next value of a draw. */
  path: string;
  /** A query whose rows are draws; null = there is only one such question. */
  draw: string | null;
  /** What becomes of a value that was drawn. */
  write(value: string): string;
};

export type QuestionOptions = { draw?: string; note?: string; write?: (value: string) => string };

export function question(path: string, { draw, note, write = String }: QuestionOptions = {}): Question {
  const endpoint = path.replace(/\?.*$/, '');
  const query = path.slice(endpoint.length).replaceAll(/\{\w+\}/g, '');
  const name = endpoint
    .replace(/^\/api\/v1\//, '')
    .replaceAll(/\{(?:serialN|sequenceN|hashOrN)umber\}/g, '{number}')
    .replaceAll(/\{\w*[iI]d\w*\}/g, '{id}');
  return {
    name: `${name}${query}${note === undefined ? '' : `, ${note}`}`,
    endpoint,
    path,
    draw: draw ?? null,
    write,
  };
}

const drawsOfEach = 200;

/** Rows by chance, so that an id that stands in many of them is drawn often, as it is asked for often. */
export function drawRows(columns: string, from: string): string {
  return `select ${columns} from ${from} order by random() limit ${drawsOfEach}`;
}

/** The one value of a column that most rows have. */
export function drawMost(column: string, from: string): string {
  return `select ${column} from ${from} group by 1 order by count(*) desc, 1 limit 1`;
}

/** A time in ns as the API writes it: seconds, and nine digits. */
export function secondsOf(nanoseconds: string, separator = '.'): string {
  return `(${nanoseconds}) / 1000000000 || '${separator}' || lpad(((${nanoseconds}) % 1000000000)::text, 9, '0')`;
}
