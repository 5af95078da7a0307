// Records as lines of a CSV file (RFC 4180).
import { stringify } from 'csv-stringify/sync';
import type { Field } from '../parts/table.ts';
import { toPlainCells } from './plain-cells.ts';

/**
 * What the ledger has as a number, which spreadsheets are to read as one. Not at the start of a line: where a file is
 * split at semicolons, the text of the next field is in the same cell.
 */
const ownNumber = /^-?\d+(?:\.\d+)?$/;

/** Each with its line end; '' for none. */
export function csvLines(records: readonly (readonly string[])[]): string {
  if (records.length === 0) return '';
  return stringify(
    records.map((record) => record.map((text) => text.toWellFormed())),
    // Readers end lines at either character, some split at semicolons and tabs as well, and some trim what is not
    // quoted.
    { record_delimiter: '\r\n', quoted_match: /[;\t\r\n]|^\s|\s$/ },
  );
}

export function csvHead<T>(fields: readonly Field<T>[]): string {
  return csvLines([fields.map(({ name }) => name)]);
}

export function csvRecord<T>(fields: readonly Field<T>[], item: T): string[] {
  return fields.map(({ text, isForeign }, place) => {
    const value = text(item);
    return place > 0 && !isForeign && ownNumber.test(value) ? value : toPlainCells(value);
  });
}

/** The last line of a file that does not have all items: its first field says where the others are. */
export function csvCut<T>(fields: readonly Field<T>[], rows: number, next: string): string {
  const note = toPlainCells(`# Cut after ${rows} rows. They go on at ${next}`);
  return csvLines([fields.map((_, place) => (place === 0 ? note : ''))]);
}
