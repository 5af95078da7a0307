// Nobody needs credentials. But whoever sends Basic ones must be a configured user, and gets that user's page size. What is
// no `name:password` in base64 is taken for no credentials at all, as the mirror node takes it.

import { isSameSecret } from '../../kit/is-same-secret.ts';
import type { HttpSettings } from '../http-settings.ts';
import { refuse } from './request-error.ts';

/** Largest page size for whoever asks. Throws RequestError for wrong credentials; other schemes are ignored. */
export function authorize(authorization: string | undefined, { users, limitMax }: HttpSettings): number {
  if (authorization === undefined) return limitMax;
  const match = /^ *basic +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization);
  if (!match) return limitMax;
  const given = Buffer.from(match[1]!, 'base64').toString();
  if (!/^[^:]*:.*$/.test(given)) return limitMax;
  const user = users.find(({ username, password }) => isSameSecret(given, `${username}:${password}`));
  if (!user) throw refuse('invalidCredentials');
  return user.limit ?? limitMax;
}
