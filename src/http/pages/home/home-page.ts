// `/`: what is newest.
import { html } from '../../../kit/markup.ts';
import { listBlocks } from '../../resources/blocks/list-blocks.ts';
import { listTransactions } from '../../resources/transactions/list-transactions.ts';
import { blockColumns } from '../blocks/blocks-page.ts';
import type { PageContent } from '../page.ts';
import type { PageContext } from '../page-context.ts';
import { link } from '../parts/links.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { transactionColumns } from '../transactions/transaction-columns.ts';

export async function showHome({ ask, links, networkName }: PageContext): Promise<PageContent> {
  const queryText = 'limit=10';
  const [blocks, transactions] = await Promise.all([
    ask(listBlocks, { queryText }),
    ask(listTransactions, { queryText }),
  ]);
  return {
    title: networkName,
    json: null,
    main: html`<h1 class="away">${networkName}</h1>
${section(
  { id: 'blocks', title: 'Newest blocks', beside: link(`${links.start}/blocks`, 'All blocks') },
  table(blockColumns(links), blocks.found.items, { caption: 'Newest blocks', none: 'No block has been imported yet.' }),
)}
${section(
  { id: 'transactions', title: 'Newest transactions', beside: link(`${links.start}/transactions`, 'All transactions') },
  table(transactionColumns(links), transactions.found.items, { caption: 'Newest transactions', none: 'None yet.' }),
)}`,
  };
}
