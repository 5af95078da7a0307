/**
 * Untrusted text for a terminal: control characters that move its cursor, colour it or hide a line are written as
 * `\x1b`. Line feeds and tabs stay.
 */
export function escapeControls(text: string): string {
  return text.replace(controls, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
