// Nobody needs credentials. But whoever sends Basic ones must be a configured user, and gets that user's page size.

import { isSameSecret } from '../../kit/is-same-secret.ts';
import type { HttpSettings } from '../http-settings.ts';
import { refuse } from './request-error.ts';

/** Largest page size for whoever asks. Throws RequestError for wrong credentials; other schemes are ignored. */
export function authorize(authorization: string | undefined, { users, limitMax }: HttpSettings): number {
  if (authorization === undefined) return limitMax;
  const match = /^\s*basic\s+(\S+)\s*$/i.exec(authorization);
  if (!match) return limitMax;
  const given = Buffer.from(match[1]!, 'base64').toString();
  const user = users.find(({ username, password }) => isSameSecret(given, `${username}:${password}`));
  if (!user) throw refuse('invalidCredentials');
  return user.limit ?? limitMax;
}
