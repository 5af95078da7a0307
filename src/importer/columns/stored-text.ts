// Text as PostgreSQL can keep it: NUL, which it refuses, becomes U+FFFD.

export function toStoredText(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}
