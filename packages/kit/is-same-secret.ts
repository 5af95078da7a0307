import { hash, timingSafeEqual } from 'node:crypto';

/** In a time that does not depend on where the two differ. Nothing equals an empty secret. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer')) && expected !== '';
}
