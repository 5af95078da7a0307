// `/{network}/account/:accountId/operations`: the transactions of an account, chosen by a form; printed, they are a
// statement.
import { html } from '../../../packages/kit/markup.ts';
import { formatEntityId } from '../../../packages/protocol/hapi/entity-id.ts';
import { maxTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { listTransactions } from '../../resources/transactions/list-transactions.ts';
import { listDownload } from '../downloads/list-download.ts';
import { pathOfCsv, pathOfJson } from '../lists/list-page.ts';
import { link } from '../page/links.ts';
import type { Page, PageContent, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { liveFeed, newTransactionsOf } from '../parts/live-feed.ts';
import { pager, table } from '../parts/table.ts';
import { yearOf } from './account-files.ts';
import { accountHeading } from './account-heading.ts';
import { accountRowColumns, toAccountRows, withBalances } from './account-rows.ts';
import { accountStatement } from './account-statement.ts';
import { findAccount } from './find-account.ts';
import { findTransactions } from './find-transactions.ts';
import { operationsForm } from './operations-form.ts';
import { type OperationsQuery, readOperationsQuery } from './operations-query.ts';

const path = '/account/:accountId/operations';

export const operationsPage: Page = {
  path,
  ask: (request, context) => context.snapshot((own) => showOperations(request, own)),
  download: listDownload({
    path: `${path}.csv`,
    fields: ({ links }) => accountRowColumns(links, false).flatMap(({ fields = [] }) => fields),
    open(context) {
      let id: bigint | null = null;
      return async (request) => {
        id ??= (await findAccount(context, request)).id;
        const query = readOperationsQuery(request.queryText, id);
        const found = await findTransactions(context, query.apiQuery);
        const items = await toAccountRows(context, id, found.items);
        return { items, nextQuery: found.next === null ? null : query.nextQuery(found.next) };
      };
    },
  }),
};

async function showOperations(request: PageRequest, context: PageContext): Promise<PageContent> {
  const { ledger, links, settings, networkName } = context;
  const account = await findAccount(context, request);
  const { id } = account;
  const query = readOperationsQuery(request.queryText, id);
  const found = await findTransactions(context, query.apiQuery);
  const listed = await toAccountRows(context, id, found.items);
  const rows = query.isWhole ? await withBalances(context, listed) : listed;
  const hasBalances = rows.some(({ balanceAfter }) => balanceAfter !== null);
  const name = formatEntityId(id);
  const own = links.path('account', id);
  const isFirst = !query.values.has('timestamp');
  const live = request.queryText === '' ? liveFeed(newTransactionsOf(name), context) : null;
  const blockEnd = await ledger.newestEnd();
  const statement = accountStatement({
    ...{ networkName, account, rows, goesOn: found.next !== null, blockEnd, now: settings.clock() },
    period: periodOf(query, { isFirst, isLast: found.next === null, blockEnd }),
    unmoved:
      rows.length === 0 && query.isWhole ? await ledger.accounts.balanceAt(id, (query.to ?? maxTimestamp) - 1n) : null,
  });
  const list = html`${operationsForm(request.path, query)}
${table(accountRowColumns(links, hasBalances), rows, { caption: `Transactions of ${name}`, none: 'No transaction fits.' })}
${pager(request.path, found.next === null ? null : query.nextQuery(found.next), isFirst)}
<p class="faint screen">As files: ${link(`${own}/transactions.csv?year=${yearOf(settings.clock())}`, 'this year with rates in US dollars')}. Print this page for a statement.</p>`;
  return {
    title: `Transactions of ${name}`,
    main: html`${accountHeading(account, 'operations', links)}
${statement}
<div class="card"${live}>${list}</div>`,
    json: pathOfJson(listTransactions, {}, query.apiQuery),
    csv: pathOfCsv(request),
  };
}

type Ends = { isFirst: boolean; isLast: boolean; blockEnd: bigint | null };

/** A page shows what was asked for up to the end that it is at; nothing is known of times after the newest block. */
function periodOf({ from, to, order }: OperationsQuery, { isFirst, isLast, blockEnd }: Ends) {
  const [hasOldest, hasNewest] = order === 'desc' ? [isLast, isFirst] : [isFirst, isLast];
  const last = to === null ? null : to - 1n;
  const isAhead = last !== null && blockEnd !== null && last > blockEnd;
  return { from: hasOldest ? from : null, to: hasNewest ? (isAhead ? blockEnd : last) : null };
}
