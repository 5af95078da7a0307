// What a prepared statement is called. PostgreSQL cuts names at 63 bytes without a word: two long ones that begin alike would be
// one statement to it, and a question answered with the text of the other.
import { hash } from 'node:crypto';

const maxBytes = 63;
const digestBytes = 27;

/** Name and shape are ASCII. The beginning of a long name stays readable in the views of PostgreSQL. */
export function toStatementName(name: string, shape: string | undefined): string {
  const whole = shape === undefined ? name : `${name}:${shape}`;
  if (whole.length <= maxBytes) return whole;
  return `${whole.slice(0, maxBytes - 1 - digestBytes)}~${hash('sha256', whole, 'base64url').slice(0, digestBytes)}`;
}
