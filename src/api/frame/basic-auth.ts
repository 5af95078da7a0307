// Credentials are optional. Basic credentials must be those of a configured user, who may have another page size. Text
// that is not `name:password` in base64 counts as no credentials, as at the mirror node.

import { isSameSecret } from '../../../packages/kit/is-same-secret.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import type { HttpSettings } from './http-settings.ts';

/** Maximum page size of this client. Throws RequestError for wrong credentials; other schemes are ignored. */
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
