// `/{network}/account/:accountId`: what an account is and has, how its balance went, and its newest transactions.
import { html } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { getAccount } from '../../resources/accounts/get-account.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import { drawInTurns } from '../page/draw-in-turns.ts';
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
  async ask(request, context) {
    const found = await context.snapshot((own) => askAccount(request, own));
    return showAccount(found, request, context);
  },
};

/** As links of tools for EVM chains name it. */
export const addressPage: Page = { ...accountPage, path: '/address/:accountId' };

async function askAccount(request: PageRequest, context: PageContext) {
  const { ledger, settings, newestRate } = context;
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
  const [created, rows] = await askTogether([
    findCreation(createdTimestamp, context),
    toAccountRows(context, id, found.items).then((unbalanced) => withBalances(context, unbalanced, history)),
  ]);
  return { account, kind, history, blockEnd, rate, created, rows, now, next: found.next };
}

type Found = Awaited<ReturnType<typeof askAccount>>;

async function showAccount(
  { account, kind, history, blockEnd, rate, created, rows, now, next }: Found,
  request: PageRequest,
  context: PageContext,
): Promise<PageContent> {
  const { links, settings, networkName } = context;
  const { createdTimestamp } = account;
  const id = account.id;
  const name = formatEntityId(id);
  const worth = toWorth(rate, account.balance.balance);
  const hasBalances = rows.some(({ balanceAfter }) => balanceAfter !== null);
  const path = links.path('account', id);
  const origin = { isContract: kind?.type === 'CONTRACT', created };
  const [statement, transactions, chart, ofAccount] = await drawInTurns(
    [
      () =>
        accountStatement({
          ...{ networkName, account, rows, period: { from: null, to: null }, goesOn: next !== null, unmoved: null },
          ...{ blockEnd, now: settings.clock() },
        }),
      () =>
        table(accountRowColumns(links, hasBalances), rows, {
          caption: `Newest transactions of ${name}`,
          none: 'It has not taken part in any transaction.',
        }),
      () => balanceChart(history, now),
      () => accountFacts(account, origin, context),
    ],
    context,
  );
  return {
    title: `Account ${name}`,
    main: html`${accountHeading(account, 'summary', links)}
${statement}
${accountFigures(account, worth, { path, maxTokens: settings.tokenBalanceLimit })}
${section({ id: 'history', title: 'Balance over time' }, chart)}
<div class="grid">
${section({ id: 'facts', title: 'Facts' }, ofAccount)}
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
