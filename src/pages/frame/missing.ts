// What a page was asked for that is not there: a link that leads nowhere says which thing is missing.
import { RequestError, refuse } from '../../../packages/web-server/request-error.ts';
import type { Page, PageRequest } from '../page/page.ts';
import { titleText } from '../parts/foreign-text.ts';

/** First parts of paths that are not the word for what they show. */
const words: Readonly<Record<string, string>> = {
  accountsWithKey: 'account with the key',
  address: 'account with the address',
  'registered-node': 'registered service',
  transactionsById: 'transaction',
  tx: 'transaction',
};

/** A 404 says what was looked for; every other error stays as it is. */
export function namingWhatIsMissing(error: unknown, { path }: Page, { params }: PageRequest): unknown {
  if (!(error instanceof RequestError) || error.status !== 404) return error;
  const [, kind] = /^\/([\w-]+)\/:/.exec(path) ?? [];
  const [value] = Object.values(params);
  if (kind === undefined || value === undefined) return error;
  return refuse('notFound', { missing: `This mirror has no ${words[kind] ?? kind} ${titleText(value, 100)}.` });
}
