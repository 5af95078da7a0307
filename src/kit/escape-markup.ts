// Text that was written by anyone, made safe inside HTML, XML and SVG, in content as in quoted attributes. Characters
// that XML forbids are replaced, so that one strange byte never makes a whole feed unreadable.

export function escapeMarkup(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, '\uFFFD')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Paragraphs and line breaks of a plain text. */
export function formatParagraphs(text: string): string {
  return text
    .trim()
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => `<p>${escapeMarkup(paragraph.trim()).replace(/\r?\n/g, '<br>')}</p>`)
    .join('');
}

// XML 1.0 §2.2 allows tab, line feed and carriage return of the C0 controls, and neither U+FFFE nor U+FFFF.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
