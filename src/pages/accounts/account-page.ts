// `/{network}/account/:accountId`: what an account is and has, how its balance went, and its newest transactions.
import { html } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { getAccount } from '../../resources/accounts/get-account.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import { link } from '../page/links.ts';
import type { Page, PageContent, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { typedId } from '../page/typed-id.ts';
import { findCreation } from '../parts/find-creation.ts';
import { liveFeed, newTransactionsOf } from '../parts/live-feed.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { accountFacts, stakingFacts } from './account-facts.ts';
import { accountFigures, toWorth } from './account-figures.ts';
import { accountFiles } from './account-files.ts';
import { accountHeading } from './account-heading.ts';
import { accountRowColumns, toAccountRows, withBalances } from './account-rows.ts';
import { accountStatement } from './account-statement.ts';
import { balanceChart } from './balance-chart.ts';
import { accountParams, findAccount } from './find-account.ts';
import { findTransactions } from './find-transactions.ts';

export const accountPage: Page = {
  path: '/account/:accountId',
  ask: (request, context) => context.snapshot((own) => showAccount(request, own)),
};

/** As links of tools for EVM chains name it. */
export const addressPage: Page = { ...accountPage, path: '/address/:accountId' };

async function showAccount(request: PageRequest, context: PageContext): Promise<PageContent> {
  const { ledger, links, settings, networkName, newestRate } = context;
  const asked = findAccount(context, request);
  const id = typedId(request.params.accountId!, settings.system) ?? (await asked).id;
  const name = formatEntityId(id);
  const [account, kind, history, blockEnd, rate, found] = await askTogether([
    asked,
    ledger.accounts.kindOf(id),
    ledger.accounts.balanceHistory(id),
    ledger.newestEnd(),
    newestRate(ledger),
    findTransactions(context, `account.id=${name}`),
  ]);
  const { createdTimestamp } = account;
  const now = blockEnd ?? settings.clock();
  const worth = toWorth(rate, account.balance.balance);
  const [created, rows] = await askTogether([
    findCreation(createdTimestamp, context),
    toAccountRows(context, id, found.items).then((unbalanced) => withBalances(context, unbalanced, history)),
  ]);
  const hasBalances = rows.some(({ balanceAfter }) => balanceAfter !== null);
  const path = links.path('account', id);
  const origin = { isContract: kind?.type === 'CONTRACT', created };
  const statement = accountStatement({
    ...{ networkName, account, rows, period: { from: null, to: null }, goesOn: found.next !== null, unmoved: null },
    ...{ blockEnd, now: settings.clock() },
  });
  const transactions = table(accountRowColumns(links, hasBalances), rows, {
    caption: `Newest transactions of ${name}`,
    none: 'It has not taken part in any transaction.',
  });
  return {
    title: `Account ${name}`,
    main: html`${accountHeading(account, 'summary', links)}
${statement}
${accountFigures(account, worth, { path, maxTokens: settings.tokenBalanceLimit })}
${section({ id: 'history', title: 'Balance over time' }, balanceChart(history, now))}
<div class="grid">
${section({ id: 'facts', title: 'Facts' }, accountFacts(account, origin, context))}
<div>
${section({ id: 'staking', title: 'Staking', beside: link(`${path}/rewards`, 'Rewards paid') }, stakingFacts(account, context))}
<div class="screen">${section({ id: 'files', title: 'Files' }, accountFiles(path, createdTimestamp, now))}</div>
</div>
</div>
<div${liveFeed(newTransactionsOf(name), context)}>
${section({ id: 'transactions', title: 'Newest transactions', beside: link(`${path}/operations`, 'All transactions') }, transactions)}
</div>`,
    json: pathOfJson(getAccount, accountParams(request)),
    csv: `${path}/operations.csv`,
  };
}
