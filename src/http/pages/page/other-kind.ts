// An id that is asked for as another kind of thing than it is: `/token/0.0.5` of an account. Links of other sites, and failed
// transactions, have such ids; the page of what it is answers them.
import type { Ledger } from '../../../ledger/ledger.ts';
import { parseEntityReference } from '../../reading/value/entity-reference.ts';
import type { LinkedKind } from './links.ts';
import type { Page, PageRequest } from './page.ts';
import type { PageContext } from './page-context.ts';

const kinds: Readonly<Record<string, LinkedKind>> = {
  ACCOUNT: 'account',
  CONTRACT: 'contract',
  TOKEN: 'token',
  TOPIC: 'topic',
  SCHEDULE: 'schedule',
};

const pageOfEntity = /^\/(account|contract|token|topic|schedule)\/:(\w+)$/;
const idForm = /^\d{1,10}(?:\.\d{1,10}){0,2}$/;

/** The path of the page of what an id is; null = this page is of its kind, or there is nothing of the id. */
export async function findOtherKind(
  { path }: Page,
  { params }: PageRequest,
  { ledger, links, settings }: Pick<PageContext, 'links' | 'settings'> & { ledger: Pick<Ledger, 'topics'> },
): Promise<string | null> {
  const [, asked, name] = pageOfEntity.exec(path) ?? [];
  const text = name === undefined ? '' : params[name]!;
  if (!idForm.test(text)) return null;
  const reference = parseEntityReference(text, settings.system);
  if (reference.kind !== 'id') return null;
  const kind = kinds[(await ledger.topics.kindOf(reference.id)) ?? ''];
  return kind === undefined || kind === asked ? null : links.path(kind, reference.id);
}
