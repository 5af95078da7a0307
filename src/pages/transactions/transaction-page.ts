// `/{network}/transaction/{consensus timestamp, id or hash}`: everything about one transaction, or all that share the
// name.

import { html, joinMarkup } from '../../../packages/kit/markup.ts';
import { maxTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import { refuse } from '../../../packages/web-server/request-error.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import { getTransaction } from '../../resources/transactions/get-transaction.ts';
import { pathOfJson } from '../lists/list-page.ts';
import { askTogether } from '../page/ask-together.ts';
import type { Page, PageContent, PageRequest } from '../page/page.ts';
import type { PageContext } from '../page/page-context.ts';
import { resultBadge } from '../parts/badge.ts';
import { callName } from '../parts/decoded-call.ts';
import { facts } from '../parts/facts.ts';
import { heading } from '../parts/section.ts';
import { findTokenUnits } from '../parts/token-units.ts';
import { typeWords } from '../parts/transaction-words.ts';
import { findRates } from '../parts/worth.ts';
import { bodySection } from './body-section.ts';
import { type Execution, executionSection } from './execution-section.ts';
import { familySection } from './family-section.ts';
import { customFeesSection, rewardsSection } from './fees-section.ts';
import { findExecution } from './find-execution.ts';
import { type Family, findByName, findFamily, typedTime } from './find-family.ts';
import { findTransactionAt } from './find-transaction-at.ts';
import { toMovements } from './movements.ts';
import { transactionFacts } from './transaction-facts.ts';
import { transfersSection } from './transfers-section.ts';
import { isAboutSchedule, whatHappened } from './what-happened.ts';

export const transactionPages: readonly Page[] = [
  ...['/transaction/:transactionLoc', '/tx/:transactionLoc'].map(
    (path): Page => ({
      path,
      ask: (request, context) =>
        context.snapshot(async (own) => {
          const time = typedTime(request.params.transactionLoc!);
          return time === null ? showNamed(request, own) : showTimed(time, request, own);
        }),
    }),
  ),
  {
    path: '/transactionsById/:transactionId',
    ask: async (request, context) =>
      showSeveral(await findByName(request.params.transactionId!, context), request, context),
  },
];

async function showNamed(request: PageRequest, context: PageContext): Promise<PageContent> {
  const family = await findByName(request.params.transactionLoc!, context);
  const { transaction } = family;
  if (transaction === null) return showSeveral(family, request, context);
  const { block, result } = await findSurroundings(transaction.consensusTimestamp, context);
  const execution = await findExecution(transaction, result, request, context);
  return showOne(transaction, { family, block, execution }, request, context);
}

async function showTimed(time: bigint, request: PageRequest, context: PageContext): Promise<PageContent> {
  if (time > maxTimestamp) throw refuse('notFound');
  const [listed, { block, result }] = await askTogether([
    findTransactionAt(time, context.ledger),
    findSurroundings(time, context),
  ]);
  if (listed === null) throw refuse('notFound');
  const [family, execution] = await askTogether([
    findFamily(listed, context),
    findExecution(listed, result, request, context),
  ]);
  return showOne(family.transaction, { family, block, execution }, request, context);
}

function showSeveral({ members }: Family, request: PageRequest, { links }: PageContext): PageContent {
  const id = idOf(members[0]!);
  const title = 'Transactions with this id';
  return {
    title: `${title}: ${id}`,
    json: pathOfJson(getTransaction, { transactionIdOrHash: id }),
    proofOf: id,
    main: html`${heading('Transaction id', html`<code data-copy>${id}</code>`)}
<p class="lead">An id is shared by a transaction, what it caused, and what it scheduled.</p>
${familySection({ members, current: null, title, rows: usualRows }, request, links)}`,
  };
}

/** What a consensus time says without its transaction: the block around it, and what a contract did. */
async function findSurroundings(time: bigint, { ledger }: PageContext) {
  const [block, result] = await askTogether([
    ledger.blocks.findAt(time, { members: blockMembers }),
    ledger.contractResults.findAt(time, { contractId: null, synthetic: false }),
  ]);
  return { block, result };
}

type Found = {
  family: Family;
  block: Awaited<ReturnType<typeof findSurroundings>>['block'];
  execution: Execution | null;
};

async function showOne(
  transaction: DetailedTransaction,
  { family: { members }, block, execution }: Found,
  request: PageRequest,
  context: PageContext,
): Promise<PageContent> {
  const { ledger, links, settings } = context;
  const { consensusTimestamp, entityId, nonce, scheduled, type, result } = transaction;
  const { system } = settings;
  const [units, rates, schedule] = await askTogether([
    findTokenUnits(ledger, links, tokensOf(transaction)),
    findRates(context, consensusTimestamp),
    isAboutSchedule(transaction) && entityId !== null ? ledger.schedules.find(entityId) : null,
  ]);
  const shown = { links, units, system, rates, rows: execution === null ? usualRows : rowsBesideExecution };
  const moved = toMovements(
    {
      ...transaction,
      nodeAccountId: nodeOf(transaction, members),
      senderAccountId: type === typeNumber.ethereumTransaction ? (execution?.result.senderId ?? null) : null,
    },
    system,
  );
  const called = execution?.called ? callName(execution.called) : null;
  const around = { called, members, schedule, now: settings.clock() };
  const id = idOf(transaction);
  const choice = `nonce=${nonce}&scheduled=${scheduled}`;
  const isFirst = members[0]?.consensusTimestamp === consensusTimestamp;
  const sections = [
    transfersSection(transaction, moved, request, shown),
    customFeesSection(transaction, request, shown),
    rewardsSection(transaction, request, shown),
    execution === null ? null : executionSection(transaction, execution, request, links),
    familySection({ members, current: transaction, title: familyTitle, rows: shown.rows }, request, links),
    bodySection({ bytes: transaction.bytes, proofOf: isFirst ? id : null, links }),
  ];
  return {
    title: `${typeWords(type)} ${id}`,
    json: pathOfJson(getTransaction, { transactionIdOrHash: id }, choice),
    // A proof is asked by name, which means the first of several.
    ...(isFirst ? { proofOf: id } : {}),
    main: html`${heading('Transaction', typeWords(type), resultBadge(result))}
<p class="lead">${whatHappened(transaction, moved, around, shown)}</p>
<div class="card">${facts(transactionFacts({ transaction, moved, block }, shown))}</div>
${joinMarkup(
  sections.filter((part) => part !== null),
  '\n',
)}`,
  };
}

const blockMembers: readonly never[] = [];
/** Of a part of a list; a page stays below 80 KB, and what a contract did takes half of that. */
const usualRows = 25;
const rowsBesideExecution = 10;
const familyTitle = 'Transactions that belong together';

function idOf({ payerAccountId, validStart }: DetailedTransaction): string {
  return formatTransactionId({ payerId: payerAccountId, validStart });
}

/** A batch was sent to a node, and what is inside with it. */
function nodeOf(
  { nodeAccountId, parentConsensusTimestamp }: DetailedTransaction,
  members: readonly DetailedTransaction[],
) {
  const parent = members.find(({ consensusTimestamp }) => consensusTimestamp === parentConsensusTimestamp);
  return nodeAccountId ?? parent?.nodeAccountId ?? null;
}

function* tokensOf({ tokenTransfers, nftTransfers, assessedFees }: DetailedTransaction): Iterable<bigint> {
  for (const { tokenId } of tokenTransfers) yield tokenId;
  for (const { tokenId } of nftTransfers) yield tokenId;
  for (const { tokenId } of assessedFees) if (tokenId !== null && tokenId !== 0n) yield tokenId;
}
