// Nobody needs credentials. But whoever sends Basic ones must be a configured user, and gets that user's page size.
import { hash, timingSafeEqual } from 'node:crypto';
import type { HttpSettings } from './http-settings.ts';
import { refuse } from './request-error.ts';

/** Largest page size for whoever asks. Throws RequestError for wrong credentials; other schemes are ignored. */
export function authorize(authorization: string | undefined, { users, limitMax }: HttpSettings): number {
  if (authorization === undefined) return limitMax;
  const match = /^\s*basic\s+(\S+)\s*$/i.exec(authorization);
  if (!match) return limitMax;
  const given = Buffer.from(match[1]!, 'base64').toString();
  const user = users.find(({ username, password }) => isSame(given, `${username}:${password}`));
  if (!user) throw refuse('invalidCredentials');
  return user.limit ?? limitMax;
}

/** In a time that does not depend on where they differ. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'));
}
