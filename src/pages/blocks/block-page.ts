// `/{network}/block/{number or hash}`: what a block says of itself, how it was verified, and its transactions.

import { html, type Markup, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { specDialect } from '../../api/dialect/spec-dialect.ts';
import { blockNameText } from '../../api/reading/value/text-kinds.ts';
import { blockKind } from '../../resources/blocks/block-members.ts';
import { getBlock } from '../../resources/blocks/get-block.ts';
import { listBlocks } from '../../resources/blocks/list-blocks.ts';
import { listTransactions } from '../../resources/transactions/list-transactions.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { type Links, link } from '../page/links.ts';
import type { Page, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { formatCount, hbar } from '../parts/amounts.ts';
import { code } from '../parts/bytes.ts';
import { type Fact, facts } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { proofBadge, proofFacts } from '../parts/proof-words.ts';
import { heading, section } from '../parts/section.ts';
import { table } from '../parts/table.ts';
import { exactMoment, formatDuration } from '../parts/times.ts';
import { findRates, type Rates, worth } from '../parts/worth.ts';
import { toListedTransactions } from '../transactions/listed-transaction.ts';
import { transactionColumns } from '../transactions/transaction-columns.ts';

export const blockPage: Page = {
  path: '/block/:blockHon',
  async ask(request, context) {
    const { links } = context;
    const block = await findBlock(request.params.blockHon!, context);
    const [neighbours, transactions, fees, rates] = await Promise.all([
      findNeighbours(context, block.number),
      showTransactions(request, context, block),
      context.ledger.blocks.fees(block),
      findRates(context, block.consensusEnd),
    ]);
    const { proof } = block;
    const name = formatCount(block.number);
    return {
      title: `Block ${name}`,
      json: pathOfJson(getBlock, { hashOrNumber: block.number.toString() }),
      proofOf: block.number.toString(),
      main: html`${heading('Block', name, proof ? proofBadge(proof) : null)}
${wayAround(neighbours, links)}
<div class="card">${facts([...factsOf(block, showFees(block, fees, rates)), ...(proof ? proofFacts(proof, links) : []), ...hashesOf(block, neighbours, links)])}</div>
${transactions}`,
    };
  },
};

type ShownBlock = Awaited<ReturnType<typeof findBlock>>;

/** What the API shows, and the hash of a record file. */
const shownMembers = [...blockKind.members, 'fileHash'] as const;

/** `name`: as the API takes it. Throws RequestError. */
async function findBlock(text: string, { ledger, settings }: PageContext) {
  const name = blockNameText.read(text, { settings, dialect: specDialect });
  if (name === undefined) throw refuse('invalidParameter', { name: 'hashOrNumber' });
  const block = await ledger.blocks.find(name, { members: shownMembers, withProof: true });
  if (block === null) throw refuse('notFound');
  return block;
}

function factsOf(block: ShownBlock, fees: MarkupValue): Fact[] {
  const { consensusStart, consensusEnd, count, gasUsed, hapiVersion, size, name } = block;
  const seconds = (consensusEnd - consensusStart) / 1_000_000_000n;
  return [
    ['First transaction', exactMoment(consensusStart)],
    [
      'Last transaction',
      html`${exactMoment(consensusEnd)}${seconds > 0n ? html` <span class="faint">${formatDuration(seconds)} later</span>` : null}`,
    ],
    ['Transactions', formatCount(count)],
    ['Fees', fees],
    ['Gas used', gasUsed === null ? null : formatCount(gasUsed)],
    ['Size', size === null ? null : `${formatCount(size)} bytes`],
    ['HAPI version', hapiVersion],
    ['File', html`<code>${foreignText(name)}</code>`],
  ];
}

/** null = none of its transactions is stored. */
function showFees({ count }: ShownBlock, { transactions, fees }: BlockFees, rates: Rates): MarkupValue {
  if (transactions === 0n) return null;
  const some =
    transactions === count
      ? null
      : html` <span class="faint">of the ${formatCount(transactions)} that are stored</span>`;
  return html`${hbar(fees)} ${worth(fees, rates)}${some}`;
}

type BlockFees = Awaited<ReturnType<PageContext['ledger']['blocks']['fees']>>;

function hashesOf({ hash, fileHash, previousHash, proof }: ShownBlock, { previous }: Neighbours, links: Links): Fact[] {
  const isFile = proof?.kind === 'nodes';
  const digits = (value: string | null): Markup | null => (value ? code(`0x${value}`) : null);
  const before = digits(previousHash);
  const of = previous === null ? null : html` <span class="faint">of block</span> ${links.block(previous)}`;
  return [
    [isFile ? 'Hash' : 'Hash: root of the block', digits(hash)],
    ['Hash of the file', fileHash === hash ? null : digits(fileHash)],
    ['Previous hash', before === null ? null : html`${before}${of}`],
  ];
}

type Neighbours = { previous: bigint | null; next: bigint | null };

async function findNeighbours({ ask }: PageContext, number: bigint): Promise<Neighbours> {
  const from = number > 0n ? number - 1n : 0n;
  const queryText = `block.number=gte:${from}&block.number=lte:${number + 1n}&order=asc&limit=3`;
  const { found } = await ask(listBlocks, { queryText });
  const has = (wanted: bigint): bigint | null => (found.items.some((block) => block.number === wanted) ? wanted : null);
  return { previous: has(number - 1n), next: has(number + 1n) };
}

function wayAround({ previous, next }: Neighbours, links: Links): MarkupValue {
  const to = (number: bigint | null, rel: string, text: Markup): MarkupValue =>
    number === null ? null : html`<a href="${`${links.start}/block/${number}`}" rel="${rel}">${text}</a>`;
  return html`<nav class="around" aria-label="Blocks before and after">${to(previous, 'prev', html`&larr; Previous block`)}${to(next, 'next', html`Next block &rarr;`)}</nav>`;
}

const pageSize = 25;
const timeForm = /^\d{1,12}\.\d{9}$/;

/** `?after=` a consensus time: the next page. */
async function showTransactions(request: PageRequest, context: PageContext, block: ShownBlock) {
  const { ask, links } = context;
  const after = new URLSearchParams(request.queryText).get('after');
  if (after !== null && !timeForm.test(after)) throw refuse('invalidParameter', { name: 'after' });
  const within = `timestamp=gte:${formatTimestamp(block.consensusStart)}&timestamp=lte:${formatTimestamp(block.consensusEnd)}`;
  const queryText = `${within}&order=asc&limit=${pageSize}${after === null ? '' : `&timestamp=gt:${after}`}`;
  const { found, nextQuery } = await ask(listTransactions, { queryText });
  const last = found.items.at(-1);
  const isLast = nextQuery === null || last === undefined || last.consensusTimestamp >= block.consensusEnd;
  const first = after === null ? null : html`<a href="${request.path}#transactions">First page</a>`;
  const next = isLast
    ? null
    : html`<a href="${`${request.path}?after=${formatTimestamp(last.consensusTimestamp)}#transactions`}" rel="next">Next page</a>`;
  const pager =
    first === null && next === null
      ? null
      : html`<nav class="pager" aria-label="Pages of the list">${first}${next}</nav>`;
  const beside = link(pathOfJson(listTransactions, {}, within), 'As JSON');
  const options = { caption: 'Transactions of this block', none: 'It has no transaction here.' };
  const shown = table(transactionColumns(links), await toListedTransactions(context, found.items), options);
  return section({ id: 'transactions', title: 'Transactions', beside }, html`${shown}${pager}`);
}
