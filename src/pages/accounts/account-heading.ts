// What stands above every page of an account: who it is, in which state, and its other pages.
import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import type { Links } from '../page/links.ts';
import type { PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { badge } from '../parts/badge.ts';
import { code } from '../parts/bytes.ts';
import { heading, tabs } from '../parts/section.ts';
import { type FoundAccount, findAccount } from './find-account.ts';

const pages = {
  summary: ['', 'Summary'],
  assets: ['/assets', 'Assets'],
  operations: ['/operations', 'Transactions'],
  rewards: ['/rewards', 'Staking'],
  allowances: ['/allowances', 'Allowances'],
  hooks: ['/hooks', 'Hooks'],
} as const;

export type AccountTab = keyof typeof pages;

export function accountHeading(account: FoundAccount, tab: AccountTab, links: Links): Markup {
  const path = links.path('account', account.id);
  const ways = Object.values(pages).map(([end, text]) => ({ path: `${path}${end}`, text }));
  return html`${heading('Account', code(formatEntityId(account.id)), marks(account))}${links.labelLine(account.id)}
${tabs('Pages of the account', ways, `${path}${pages[tab][0]}`)}`;
}

function marks({ deleted, receiverSigRequired }: FoundAccount): MarkupValue {
  return [
    deleted ? badge('bad', 'Deleted') : null,
    receiverSigRequired ? html` ${badge('plain', 'Receiver signature required')}` : null,
  ];
}

/** For lists that ask for the account only to name it. `name`: of the list, where the tab has several. */
export function headingOf(tab: AccountTab, name: string | null = null) {
  return async (request: PageRequest, context: PageContext): Promise<Markup> =>
    html`${accountHeading(await findAccount(context, request), tab, context.links)}${name === null ? null : html`<h2>${name}</h2>`}`;
}
