// Ids in Statuspage's form: 12 digits and lower-case consonants. The same text gives the same id, so that ids stored by
// clients survive a lost data folder.
import { createHash } from 'node:crypto';

const alphabet = '0123456789bcdfghjklmnpqrstvwxyz';

export function createIdentifier(text: string): string {
  let number = createHash('sha256').update(text).digest().readBigUInt64BE();
  let id = '';
  while (id.length < 12) {
    id += alphabet[Number(number % BigInt(alphabet.length))];
    number /= BigInt(alphabet.length);
  }
  return id;
}
