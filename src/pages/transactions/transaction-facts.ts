// What a transaction says of itself: who paid, when, how much, what for.

import { html, type MarkupValue } from '../../../packages/kit/markup.ts';
import { formatEntityIdParts } from '../../../packages/protocol/hapi/entity-id.ts';
import { isSuccess, responseCodeName } from '../../../packages/protocol/hapi/response-codes.ts';
import { formatTimestamp } from '../../../packages/protocol/hapi/timestamp.ts';
import { transactionTypeName } from '../../../packages/protocol/hapi/transaction-types.ts';
import { formatTransactionId } from '../../api/values/transaction-id-text.ts';
import type { DetailedTransaction } from '../../ledger/transactions/create-named-transactions.ts';
import { type Links, link } from '../page/links.ts';
import { formatCount, formatFraction, hbar } from '../parts/amounts.ts';
import { code, hexBytes } from '../parts/bytes.ts';
import type { Fact } from '../parts/facts.ts';
import { foreignText } from '../parts/foreign-text.ts';
import { keyTree } from '../parts/key-tree.ts';
import { proofBadge, proofSentence, type ShownProof } from '../parts/proof-words.ts';
import { exactMoment, formatDuration } from '../parts/times.ts';
import { worth } from '../parts/worth.ts';
import { feeAccounts } from './fee-accounts.ts';
import type { Moved } from './movements.ts';
import type { TransfersContext } from './transfers-section.ts';

/** The block that holds it. */
type BlockOfTransaction = { number: bigint; proof: ShownProof };

type FactsOptions = {
  transaction: DetailedTransaction;
  moved: Moved;
  /** null = none is stored that does. */
  block: BlockOfTransaction | null;
};

export function transactionFacts({ transaction, moved, block }: FactsOptions, context: TransfersContext): Fact[] {
  const { links } = context;
  const { type, result, payerAccountId, nodeAccountId, consensusTimestamp } = transaction;
  return [
    [
      'Result',
      isSuccess(result)
        ? null
        : html`<code>${responseCodeName(result)}</code> <span class="faint">response code ${result}</span>`,
    ],
    ['Transaction id', idOf(transaction)],
    [
      'Consensus time',
      html`${exactMoment(consensusTimestamp)} <span class="faint">${code(formatTimestamp(consensusTimestamp))}</span>`,
    ],
    ['Type', html`<code>${transactionTypeName(type)}</code>`],
    ['About', links.subject(transaction)],
    ['Paid by', links.account(payerAccountId)],
    ['Sent to node', links.account(nodeAccountId)],
    ...feeFacts(transaction, moved, context),
    ['Memo', memoText(transaction.memo)],
    ['Block', block === null ? null : links.block(block.number)],
    ['Proof', block === null ? null : html`${proofBadge(block.proof)} ${proofSentence(block.proof, links)}`],
    ['Hash', transaction.transactionHash === null ? null : hexBytes(transaction.transactionHash)],
    ['Valid', validity(transaction)],
    [
      'Nonce',
      transaction.nonce === 0
        ? null
        : html`${transaction.nonce} <span class="faint">made by the network, as part of another transaction</span>`,
    ],
    [
      'Scheduled',
      transaction.scheduled ? 'Yes: it was scheduled before and executed when it had its signatures' : null,
    ],
    ['Part of', parentOf(transaction, links)],
    ['Batch key', transaction.batchKey === null ? null : keyTree(transaction.batchKey, links)],
    ['High volume', transaction.highVolume ? highVolume(transaction) : null],
    ['Most custom fees accepted', feeLimits(transaction)],
  ];
}

function idOf({ payerAccountId, validStart }: DetailedTransaction): MarkupValue {
  return code(formatTransactionId({ payerId: payerAccountId, validStart }));
}

function feeFacts(
  { chargedTxFee, maxFee }: DetailedTransaction,
  { movements }: Moved,
  { links, system, rates }: TransfersContext,
): Fact[] {
  const fee = movements.find(({ kind }) => kind === 'fee');
  const purposes = feeAccounts(system);
  const shares = fee?.receivers.map(
    ({ accountId, amount }) =>
      html`<li>${hbar(amount)} to ${accountId === null ? 'nobody' : links.account(accountId)} <span class="faint">${accountId === null ? null : (purposes.get(accountId) ?? 'the node')}</span></li>`,
  );
  const payers = (fee?.givers ?? []).map(
    ({ accountId, amount }) => html`<li>${hbar(amount)} by ${links.account(accountId)}</li>`,
  );
  return [
    [
      'Fee',
      chargedTxFee === null
        ? null
        : html`${hbar(chargedTxFee)} ${worth(chargedTxFee, rates)}${limitOf(chargedTxFee, maxFee)}`,
    ],
    ['Who paid the fee', payers.length < 2 ? null : html`<ul>${payers}</ul>`],
    ['Who got the fee', shares === undefined ? null : html`<ul>${shares}</ul>`],
  ];
}

/** What was charged may be more than that. */
function limitOf(charged: bigint, maxFee: bigint | null): MarkupValue {
  if (maxFee === null || maxFee === 0n) return null;
  return charged <= maxFee
    ? html` <span class="faint">of at most</span> ${hbar(maxFee)}`
    : html`<span class="faint">, more than the maximum of the transaction,</span> ${hbar(maxFee)}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const maxMemo = 300;

/** Most memos are text; the ledger has their bytes. */
function memoText(memo: Uint8Array | null): MarkupValue {
  if (memo === null || memo.length === 0) return null;
  try {
    return foreignText(utf8.decode(memo), { max: maxMemo });
  } catch {
    // Not all bytes are text.
    return hexBytes(memo);
  }
}

function validity({ validStart, validDurationSeconds }: DetailedTransaction): MarkupValue {
  const seconds =
    validDurationSeconds === null
      ? null
      : html` <span class="faint">for</span> ${formatDuration(validDurationSeconds)}`;
  return html`<span class="faint">from</span> ${exactMoment(validStart)}${seconds}`;
}

function parentOf({ parentConsensusTimestamp: parent }: DetailedTransaction, links: Links): MarkupValue {
  return parent === null ? null : link(links.transactionPath(parent), html`the transaction at ${exactMoment(parent)}`);
}

function highVolume({ highVolumePricingMultiplier: multiplier }: DetailedTransaction): MarkupValue {
  return multiplier === null ? 'Yes' : `Yes, at ${formatFraction(multiplier, 3)} times the usual fee`;
}

function feeLimits({ maxCustomFees }: DetailedTransaction): MarkupValue {
  if (maxCustomFees.length === 0) return null;
  const items = maxCustomFees.slice(0, 10).map(({ accountId, amount, denominatingTokenId }) => {
    const unit =
      denominatingTokenId === null ? 'tinybar' : html`of the token ${formatEntityIdParts(denominatingTokenId)}`;
    const from = accountId === null ? null : html` from ${formatEntityIdParts(accountId)}`;
    return html`<li>${formatCount(amount)} ${unit}${from}</li>`;
  });
  return html`<ul>${items}</ul>`;
}
