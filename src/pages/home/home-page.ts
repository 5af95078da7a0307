// `/`: what the ledger is doing, how much of it is here, and what is newest.
import { html, type Markup } from '../../../packages/kit/markup.ts';
import { getBlock } from '../../resources/blocks/get-block.ts';
import { listBlocks } from '../../resources/blocks/list-blocks.ts';
import { listTransactions } from '../../resources/transactions/list-transactions.ts';
import { blockColumns } from '../blocks/blocks-page.ts';
import { drawInTurns } from '../page/draw-in-turns.ts';
import { link } from '../page/links.ts';
import type { PageContent } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { liveFeed, newBlocks } from '../parts/live-feed.ts';
import { searchForm } from '../parts/search-form.ts';
import { section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { toListedTransactions } from '../transactions/listed-transaction.ts';
import { transactionColumns } from '../transactions/transaction-columns.ts';
import { blockStrip } from './block-strip.ts';
import { askFigures, formatFigures } from './figures.ts';
import { formatState } from './mirror-state.ts';
import { throughputCharts } from './throughput-charts.ts';

export async function showHome(context: PageContext): Promise<PageContent> {
  const { ledger, networkName, settings } = context;
  const [newest, figures, throughput, extent, storage] = await Promise.all([
    askNewest(context),
    askFigures(context),
    ledger.throughput(),
    ledger.extent(),
    ledger.storage(),
  ]);
  const { blocks, transactions, block } = newest;
  const [ofFigures, strip, rows, charts] = block
    ? await drawInTurns(
        [
          () => formatFigures(figures, { blocks, now: settings.clock() }),
          () => blockStrip(blocks, context.links),
          () => formatNewest(context, newest),
          () => throughputCharts(throughput),
        ],
        context,
      )
    : [null, null, null, null];
  const main = block
    ? html`${ofFigures}
<div class="moving"${liveFeed({ url: newBlocks, name: 'blocks' }, context)}>
${strip}
<div class="grid uneven">
${rows}</div></div>
<div class="grid">${charts}</div>
<p>${link(`${context.links.start}/charts`, 'Charts over weeks and years')}</p>
${formatState({ block, extent, storage, now: settings.clock() })}`
    : formatEmpty(transactions.length);
  return {
    title: networkName,
    json: null,
    main: html`<div class="hero"><h1>${formatTitle(networkName)}</h1>
<p>Accounts, tokens, contracts and topics of a public ledger, each checked against what the network signed.</p>
${searchForm({ id: 'look-up', text: '' })}</div>
${main}`,
  };
}

type Newest = Awaited<ReturnType<typeof askNewest>>;

/** As of one block. `block`: with how it was verified; null = nothing is stored yet. */
function askNewest({ snapshot }: PageContext) {
  return snapshot(async (own) => {
    const { ask } = own;
    const queryText = 'limit=10';
    const { items: blocks } = (await ask(listBlocks, { queryText })).found;
    const listed = (await ask(listTransactions, { queryText })).found.items;
    const transactions = await toListedTransactions(own, listed);
    const [first] = blocks;
    const params = { hashOrNumber: String(first?.number) };
    return { blocks, transactions, block: first ? (await ask(getBlock, { params })).found : null };
  });
}

function formatTitle(networkName: string): string {
  return `The ledger of ${networkName}`;
}

function formatNewest({ links }: PageContext, { blocks, transactions }: Newest): Markup {
  const ofBlocks = blockColumns(links).filter(({ name }) => ['Number', 'End', 'Transactions'].includes(name));
  const ofTransactions = transactionColumns(links).filter(({ name }) => !['Id', 'Fee'].includes(name));
  return html`${section(
    { id: 'blocks', title: 'Newest blocks', beside: link(`${links.start}/blocks`, 'All blocks') },
    table(ofBlocks, blocks, { caption: 'Newest blocks', none: 'None yet.' }),
  )}
${section(
  { id: 'transactions', title: 'Newest transactions', beside: link(`${links.start}/transactions`, 'All transactions') },
  table(ofTransactions, transactions, { caption: 'Newest transactions', none: 'None yet.' }),
)}`;
}

/** Rows may be there before the first block is: another program's database. */
function formatEmpty(transactions: number): Markup {
  return section(
    { id: 'empty', title: 'Nothing has been imported yet' },
    html`<p>The mirror runs, but no block has been imported yet${transactions > 0 ? ', though there are transactions' : null}.
Each block is checked first: who signed it, and whether it follows the one before. Then it is shown here, with its transactions,
how many there are a second, and what the network says of itself. Reload this page in a moment.</p>
<p><a href="/api">What can be asked</a></p>`,
  );
}
