/**
 * Text from outside as a terminal may show it: what would move its cursor, colour it or hide a line is written as `\x1b`. Line
 * feeds and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
