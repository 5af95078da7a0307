// The questions about transactions by their name: an id, which is that of all that followed from a transaction, too, or a
// hash. Where a transaction may have had custom fees, these come with it.
import { isSuccess } from '../../protocol/hapi/response-codes.ts';
import { type SystemRealm, systemEntityId } from '../../protocol/hapi/system-entity.ts';
import { typeNumber } from '../../protocol/hapi/transaction-types.ts';
import { selectAssessedFees } from '../../store/read/select-assessed-fees.ts';
import {
  selectTransactionsByEthereumHash,
  selectTransactionsByHash,
  selectTransactionsById,
  type TransactionId,
} from '../../store/read/select-named-transactions.ts';
import type { TransactionRow } from '../../store/read/select-transaction-page.ts';
import { latestMoment } from '../../store/read/statement-parts.ts';
import type { Database } from '../../store/wire/database.ts';
import { toTransaction } from './to-transaction.ts';
import type { AssessedFee, LedgerTransaction, TransactionChoice } from './transaction.ts';

export type DetailedTransaction = LedgerTransaction & { assessedFees: readonly AssessedFee[] };

const second = 1_000_000_000n;
const minute = 60n * second;
/** How far a consensus time lies before the valid start at most, as nodes' clocks differ. */
const maxDrift = second;
/** How far it lies behind it at most. */
export const maxDelay = 35n * minute;
/** The same of what was scheduled: 62 days. */
export const maxScheduledDelay = 89_285n * minute;

type Options = { db: Database; system: SystemRealm };

export function createNamedTransactions({ db, system }: Options) {
  return {
    /** All with this id, oldest first, and behind them what a batch among them was made of. */
    async findById(id: TransactionId, choice: TransactionChoice): Promise<DetailedTransaction[]> {
      const ids = [id];
      let found = await selectByIds(ids, choice, maxDelay);
      if (mayFollowLater(found, choice)) found = await selectByIds(ids, choice, maxScheduledDelay - maxDrift);
      const inner = found.flatMap(({ innerTransactions }) => innerTransactions);
      if (inner.length > 0) found = [...found, ...(await selectByIds(inner, choice, maxDelay))];
      return withAssessedFees(found);
    },
    /** `hash`: all 48 bytes, or the 32 of an Ethereum transaction's. */
    async findByHash(hash: Buffer, choice: TransactionChoice): Promise<DetailedTransaction[]> {
      const select = hash.length === ethereumHashBytes ? selectTransactionsByEthereumHash : selectTransactionsByHash;
      return withAssessedFees(
        toTransactions(
          await select(db, hash, { ...choice, rewardAccountId: systemEntityId('stakingRewards', system) }),
        ),
      );
    },
  };

  async function selectByIds(
    ids: readonly TransactionId[],
    choice: TransactionChoice,
    delay: bigint,
  ): Promise<LedgerTransaction[]> {
    const starts = ids.map(({ validStart }) => validStart);
    const [first, last] = [starts.reduce(lesser), starts.reduce(greater)];
    if (last > latestMoment) return [];
    const from = first - maxDrift;
    const to = lesser(last + delay, latestMoment);
    return toTransactions(
      await selectTransactionsById(db, {
        ids,
        from,
        to,
        ...choice,
        rewardAccountId: systemEntityId('stakingRewards', system),
      }),
    );
  }

  function toTransactions(rows: readonly TransactionRow[]): LedgerTransaction[] {
    return rows.map((row) => toTransaction(row, db));
  }

  async function withAssessedFees(transactions: LedgerTransaction[]): Promise<DetailedTransaction[]> {
    if (transactions.length === 0) return [];
    const rows = await selectAssessedFees(
      db,
      transactions.map(({ consensusTimestamp }) => consensusTimestamp),
    );
    return transactions.map((transaction) => ({
      ...transaction,
      assessedFees: rows
        .filter((row) => row.consensusTimestamp === transaction.consensusTimestamp)
        .map((row) => ({
          amount: row.amount,
          collectorAccountId: row.collectorAccountId,
          tokenId: row.tokenId,
          effectivePayerAccountIds: row.effectivePayerAccountIds ?? [],
        })),
    }));
  }
}

const ethereumHashBytes = 32;

/** Whether something was scheduled and has not been carried out, as far as these tell. */
export function awaitsExecution(transactions: readonly LedgerTransaction[]): boolean {
  return transactions.some(isScheduling) && !transactions.some(({ scheduled }) => scheduled);
}

export function isScheduling({ type, result }: LedgerTransaction): boolean {
  return type === typeNumber.scheduleCreate && isSuccess(result);
}

/** Whether more may be found long after the id's own time: what was scheduled. */
function mayFollowLater(found: readonly LedgerTransaction[], { scheduled }: TransactionChoice): boolean {
  if (scheduled === null) return awaitsExecution(found);
  return scheduled && found.length === 0;
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function greater(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
