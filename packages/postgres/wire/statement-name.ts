// Names of prepared statements. PostgreSQL silently cuts names at 63 bytes: two long ones with the same beginning would
// be one statement to it, and one query would be answered with the text of the other.
import { hash } from 'node:crypto';

const maxBytes = 63;
const digestBytes = 27;

/** Name and shape are ASCII. The beginning of a long name stays readable in PostgreSQL's views. */
export function toStatementName(name: string, shape: string | undefined): string {
  const whole = shape === undefined ? name : `${name}:${shape}`;
  if (whole.length <= maxBytes) return whole;
  return `${whole.slice(0, maxBytes - 1 - digestBytes)}~${hash('sha256', whole, 'base64url').slice(0, digestBytes)}`;
}
