// Transactions of a list with what each of them did: who gave what to whom, or what it was about. All of it is in the
// row of the transaction; only names of tokens are looked up, once for the whole list.
import { isSuccess } from '../../../packages/protocol/hapi/response-codes.ts';
import type { SystemRealm } from '../../../packages/protocol/hapi/system-entity.ts';
import type { LedgerTransaction } from '../../ledger/transactions/transaction.ts';
import type { listTransactions } from '../../resources/transactions/list-transactions.ts';
import type { ItemOf } from '../lists/list-page.ts';
import type { PageContext } from '../page/page-context.ts';
import { findTokenUnits, type TokenUnits } from '../parts/token-units.ts';
import { feeAccounts } from './fee-accounts.ts';
import { type Movement, type Mover, toMovements } from './movements.ts';

/** What it moved first: hbar, else a token, else NFTs. */
export type BriefMovement = {
  movement: Movement;
  /** In the smallest unit; NFTs: how many. */
  amount: bigint;
  /** The largest of each side, and how many others there are; null = no account: it was made, or destroyed. */
  from: { accountId: bigint | null; others: number };
  to: { accountId: bigint | null; others: number };
  /** Movements of other kinds or tokens. */
  others: number;
};

export type ListedTransaction = LedgerTransaction & {
  /** null = it moved nothing but its fee. */
  brief: BriefMovement | null;
  units: TokenUnits;
};

export async function toListedTransactions(
  { ledger, links, settings }: Pick<PageContext, 'ledger' | 'links' | 'settings'>,
  found: readonly ItemOf<typeof listTransactions>[],
): Promise<ListedTransaction[]> {
  // The endpoint finds whole transactions; its type says what its own members need of them.
  const transactions = found as readonly LedgerTransaction[];
  const briefs = transactions.map((transaction) => toBriefMovement(transaction, settings.system));
  const tokenIds = briefs.flatMap((brief) => (brief && 'tokenId' in brief.movement ? [brief.movement.tokenId] : []));
  const units = await findTokenUnits(ledger, links, tokenIds);
  return transactions.map((transaction, place) => ({ ...transaction, brief: briefs[place]!, units }));
}

type BriefSource = Omit<Parameters<typeof toMovements>[0], 'senderAccountId'> & Pick<LedgerTransaction, 'result'>;

/**
 * Where the fee cannot be separated from what was sent, what went to the accounts of fees is left out, and hbar of at most
 * the fee: it may be the fee, for example to the node that took the batch of a transaction. A transaction that failed
 * moved nothing else.
 */
export function toBriefMovement(transaction: BriefSource, system: SystemRealm): BriefMovement | null {
  if (!isSuccess(transaction.result)) return null;
  const { movements, isFeeKnown } = toMovements(transaction, system);
  const { chargedTxFee } = transaction;
  const collectors = isFeeKnown ? null : new Set([...feeAccounts(system).keys(), transaction.nodeAccountId]);
  const moved = movements.filter(({ kind }) => kind !== 'fee' && kind !== 'reward');
  for (const [place, movement] of moved.entries()) {
    const receivers =
      collectors !== null && movement.kind === 'hbar'
        ? movement.receivers.filter(({ accountId }) => accountId === null || !collectors.has(accountId))
        : movement.receivers;
    const amount = receivers.reduce((sum, mover) => sum + mover.amount, 0n);
    if (receivers.length === 0 || (collectors !== null && movement.kind === 'hbar' && amount <= chargedTxFee!))
      continue;
    return {
      movement,
      amount,
      from: largestOf(movement.givers),
      to: largestOf(receivers),
      others: moved.length - place - 1,
    };
  }
  return null;
}

function largestOf(movers: readonly Mover[]): { accountId: bigint | null; others: number } {
  const largest = movers.reduce((found, mover) => (mover.amount > found.amount ? mover : found), movers[0]!);
  return { accountId: largest.accountId, others: movers.length - 1 };
}
