// An id that is asked for as another kind of thing than it is: `/token/0.0.5` of an account. Links of other sites, and
// failed transactions, have such ids; the page of what it is answers them.
import type { Ledger } from '../../ledger/ledger.ts';
import type { LinkedKind } from './links.ts';
import type { Page, PageRequest } from './page.ts';
import type { PageContext } from './page-context.ts';
import { typedId } from './typed-id.ts';

const kinds: Readonly<Record<string, LinkedKind>> = {
  ACCOUNT: 'account',
  CONTRACT: 'contract',
  TOKEN: 'token',
  TOPIC: 'topic',
  SCHEDULE: 'schedule',
};

const pageOfEntity = /^\/(account|contract|token|topic|schedule)\/:(\w+)$/;

/** The path of the page of what an id is; null = this page is of its kind, or there is nothing of the id. */
export async function findOtherKind(
  { path }: Page,
  { params }: PageRequest,
  { ledger, links, settings }: Pick<PageContext, 'links' | 'settings'> & { ledger: Pick<Ledger, 'topics'> },
): Promise<string | null> {
  const [, asked, name] = pageOfEntity.exec(path) ?? [];
  const id = name === undefined ? null : typedId(params[name]!, settings.system);
  if (id === null) return null;
  const kind = kinds[(await ledger.topics.kindOf(id)) ?? ''];
  return kind === undefined || kind === asked ? null : links.path(kind, id);
}
