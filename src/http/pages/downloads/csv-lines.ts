// Records as lines of a CSV file (RFC 4180).
import { stringify } from 'csv-stringify/sync';
import type { Field } from '../parts/table.ts';

/** What a spreadsheet may take for a formula begins with one of these. */
const formulaStart = /^[=+\-@\t\r]/;

/** A text that people wrote: an apostrophe before what would be a formula makes spreadsheets show it as text. */
function asPlainText(text: string): string {
  return formulaStart.test(text) ? `'${text}` : text;
}

/** Each with its line end; '' for none. */
export function csvLines(records: readonly (readonly string[])[]): string {
  if (records.length === 0) return '';
  return stringify(
    records.map((record) => record.map((text) => text.toWellFormed())),
    // Readers end lines at either character, and some trim what is not quoted.
    { record_delimiter: '\r\n', quoted_match: /[\r\n]|^\s|\s$/ },
  );
}

export function csvHead<T>(fields: readonly Field<T>[]): string {
  return csvLines([fields.map(({ name }) => name)]);
}

export function csvRecord<T>(fields: readonly Field<T>[], item: T): string[] {
  return fields.map(({ text, isForeign }) => (isForeign ? asPlainText(text(item)) : text(item)));
}

/** The last line of a file that does not have all items: its first field says where the others are. */
export function csvCut<T>(fields: readonly Field<T>[], rows: number, next: string): string {
  const note = `# Cut after ${rows} rows. They go on at ${next}`;
  return csvLines([fields.map((_, place) => (place === 0 ? note : ''))]);
}
