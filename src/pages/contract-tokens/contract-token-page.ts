// `/{network}/contract/:contractId/token`: the token that a contract keeps, who has most of it, what was moved last.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import type { ContractToken } from '../../ledger/tokens/create-contract-tokens.ts';
import { listLogsOfContract } from '../../resources/contracts/list-logs-of-contract.ts';
import { contractName } from '../contracts/about/find-contract.ts';
import { logsOfPage } from '../contracts/lists/log-columns.ts';
import { askTogether } from '../page/ask-together.ts';
import { link } from '../page/links.ts';
import type { Page } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount } from '../parts/amounts.ts';
import { facts } from '../parts/facts.ts';
import { foreignText, titleText } from '../parts/foreign-text.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { exactMoment } from '../parts/times.ts';
import { findToken, tokenHeading, tokenPath } from './find-token.ts';
import { holderColumns, serialColumns } from './token-columns.ts';
import { readItems, tokenEventColumns } from './token-event-columns.ts';
import { byItsEvents, hasSerials, standardWords, supplyOf } from './token-parts.ts';

const brief = 10;

export const contractTokenPage: Page = {
  path: '/contract/:contractId/token',
  ask: (request, outer) =>
    outer.snapshot(async (context) => {
      const found = await findToken(request, context);
      const { token, shown } = found;
      const { contractId } = token;
      const { contractTokens } = context.ledger;
      const params = { contractIdOrAddress: contractName(shown) };
      const [holders, serials, logs, until] = await askTogether([
        contractTokens.listHolders({ contractId, after: null, limit: brief }),
        hasSerials(token) ? contractTokens.listSerials({ contractId, after: null, limit: brief }) : null,
        context.ask(listLogsOfContract, { params, queryText: `limit=${brief}` }),
        contractTokens.summedUntil(),
      ]);
      const own = tokenPath(context, token);
      const all = (part: string, text: string) => link(`${own}/${part}`, text);
      return {
        title: `Token ${titleText(token.name ?? contractName(shown), 60)}`,
        json: null,
        main: html`${tokenHeading(found, '', context)}
<div class="grid">${section({ id: 'facts', title: 'Facts' }, html`${tokenFacts(token, context)}${byItsEvents(token, until)}`)}
${section(
  { id: 'holders', title: 'Largest holders', beside: all('holders', 'All holders') },
  table(holderColumns(token, context), holders.items, { caption: 'Largest holders', none: 'Nobody has any of it.' }),
)}</div>
${serials === null ? null : section({ id: 'serials', title: 'Units', beside: all('serials', 'All units') }, table(serialColumns(token, context), serials.items, { caption: 'Units', none: 'There are none.' }))}
${section(
  { id: 'transfers', title: 'Newest events', beside: all('transfers', 'All events') },
  table(tokenEventColumns(token, context), readItems(logsOfPage(logs.found)), {
    caption: 'Newest events',
    none: 'No event is known here.',
  }),
)}`,
      };
    }),
};

function tokenFacts(token: ContractToken, { links }: Pick<PageContext, 'links'>): Markup {
  const { standard, name, symbol, decimals, transfers, holders, firstTimestamp, lastTimestamp } = token;
  return facts([
    ['Kind', html`${standard}: ${standardWords[standard]}`],
    ['Name', name === null ? html`<span class="faint">it does not say</span>` : foreignText(name)],
    ['Symbol', symbol === null ? html`<span class="faint">it does not say</span>` : foreignText(symbol)],
    [
      'Decimals',
      standard === 'ERC-20'
        ? decimals === null
          ? 'it does not say: amounts are of the smallest unit'
          : `${decimals}`
        : null,
    ],
    ['Supply', supplyOf(token)],
    ['Holders', formatCount(holders)],
    ['Transfers', formatCount(transfers)],
    ['First event', link(links.transactionPath(firstTimestamp), exactMoment(firstTimestamp))],
    ['Newest event', link(links.transactionPath(lastTimestamp), exactMoment(lastTimestamp))],
  ]);
}
