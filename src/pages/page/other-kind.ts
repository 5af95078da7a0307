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

type AskedLedger = Pick<Ledger, 'contractTokens' | 'search' | 'topics'>;

/** The path of the page of what an id is; null = this page is of its kind, or there is nothing of the id. */
export async function findOtherKind(
  { path }: Page,
  { params }: PageRequest,
  { ledger, links, settings }: Pick<PageContext, 'links' | 'settings'> & { ledger: AskedLedger },
): Promise<string | null> {
  const [, asked, name] = pageOfEntity.exec(path) ?? [];
  if (name === undefined) return null;
  const id = typedId(params[name]!, settings.system) ?? (await idOfAddress(params[name]!, ledger));
  if (id === null) return null;
  const kind = kinds[(await ledger.topics.kindOf(id)) ?? ''];
  if (kind === undefined || kind === asked) return null;
  const place = links.path(kind, id);
  const isToken = kind === 'contract' && asked === 'token' && (await ledger.contractTokens.find(id)) !== null;
  return isToken ? `${place}/token` : place;
}

/** null = the text is no address, or none that is known. */
async function idOfAddress(text: string, ledger: AskedLedger): Promise<bigint | null> {
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return null;
  const [found] = await ledger.search({ kind: 'evmAddress', address: Buffer.from(text.slice(2), 'hex') });
  return found?.kind === 'entity' ? found.id : null;
}
