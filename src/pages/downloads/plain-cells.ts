// Texts that no spreadsheet takes for a formula, whichever separator it splits a file by. Files have commas, but a
// spreadsheet of a country with decimal commas splits at semicolons, and others at tabs: there a cell may begin inside
// of a field, and a line inside of a text. An apostrophe before what would be a formula makes it text.
// Invariant: taking one away at each such place gives the text (docs/reference/downloads.md). One that has
// apostrophes there gets one more.

/**
 * Signs of formulas: also in full width, in small form, and the minus of mathematics, which some spreadsheets read
 * alike.
 */
const sign = '[=+\\-@＝＋－＠﹦﹢﹣﹫−]';

/** What ends a cell or a line: what follows may be the start of a cell. */
const ends = ';\\t\\r\\n\\v\\f\\u0085\\u2028\\u2029';

/** What a spreadsheet may skip at the start of a cell: blanks, controls, characters without a width, quotes. */
const skipped = `(?:(?![${ends}])[\\s\\p{C}"])*`;

const cellStart = `(?<![^${ends}])`;
const formula = `'*${skipped}${sign}`;

/** At the start of a field this is enough, whatever follows: some programs drop it. */
const dropped = `'*[\\t\\r\\n]`;

const places = new RegExp(`${cellStart}(?=${formula})|^(?=${dropped})`, 'gu');
/** Unpaired surrogates become U+FFFD, because a file is UTF-8. */
export function toPlainCells(text: string): string {
  return text.toWellFormed().replace(places, "'");
}
