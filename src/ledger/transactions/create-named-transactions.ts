// Queries about transactions by name: an id, which child transactions share, or a hash. If a transaction may have had
// custom fees, these come with it.

import type { Database } from '../../../packages/postgres/wire/database.ts';
import { isSuccess } from '../../../packages/protocol/hapi/response-codes.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { typeNumber } from '../../../packages/protocol/hapi/transaction-types.ts';
import type { AssessedFeeRow } from '../../../packages/store/read/select-assessed-fees.ts';
import {
  selectTransactionsByEthereumHash,
  selectTransactionsByHash,
  selectTransactionsById,
  type TransactionChoice,
  type TransactionId,
} from '../../../packages/store/read/select-named-transactions.ts';
import { latestMoment } from '../../../packages/store/read/statement/statement-parts.ts';
import { toTransaction } from './to-transaction.ts';
import type { LedgerTransaction } from './transaction.ts';

export type DetailedTransaction = LedgerTransaction & { assessedFees: readonly AssessedFeeRow[] };

const second = 1_000_000_000n;
const minute = 60n * second;
/** Maximum time by which consensus precedes the valid start, as nodes' clocks differ. */
const maxDrift = second;
/** Maximum time from valid start to consensus. */
export const maxDelay = 35n * minute;
/** The same for scheduled transactions: 62 days. */
export const maxScheduledDelay = 89_285n * minute;

type Options = { db: Database; system: SystemRealm };

export function createNamedTransactions({ db, system }: Options) {
  return {
    /** All with this id, oldest first, followed by the inner transactions of a batch among them. */
    async findById(id: TransactionId, choice: TransactionChoice): Promise<DetailedTransaction[]> {
      if (!db.isDistributed) {
        const found = await selectByIds(db, [id], choice, maxDelay);
        if (!mayFollowLater(found, choice) && innerOf(found).length === 0) return found;
      }
      // From here on it takes more than one query.
      return db.snapshot(async (own) => {
        let found = await selectByIds(own, [id], choice, maxDelay);
        if (mayFollowLater(found, choice)) found = await selectByIds(own, [id], choice, maxScheduledDelay - maxDrift);
        const inner = innerOf(found);
        return inner.length > 0 ? [...found, ...(await selectByIds(own, inner, choice, maxDelay))] : found;
      });
    },
    /** `hash`: all 48 bytes, or the 32 of an Ethereum transaction's. */
    async findByHash(hash: Buffer, choice: TransactionChoice): Promise<DetailedTransaction[]> {
      const select = hash.length === ethereumHashBytes ? selectTransactionsByEthereumHash : selectTransactionsByHash;
      const find = async (own: Database) =>
        (await select(own, hash, toFilter(choice))).map((row) => toTransaction(row, own));
      return db.isDistributed ? db.snapshot(find) : find(db);
    },
  };

  async function selectByIds(
    own: Database,
    ids: readonly TransactionId[],
    choice: TransactionChoice,
    delay: bigint,
  ): Promise<DetailedTransaction[]> {
    const starts = ids.map(({ validStart }) => validStart);
    const [first, last] = [starts.reduce(lesser), starts.reduce(greater)];
    if (last > latestMoment) return [];
    const from = first - maxDrift;
    const to = lesser(last + delay, latestMoment);
    const rows = await selectTransactionsById(own, { ...toFilter(choice), ids, from, to });
    return rows.map((row) => toTransaction(row, own));
  }

  function toFilter(choice: TransactionChoice) {
    return { ...choice, rewardAccountId: systemEntityId('stakingRewards', system) };
  }
}

function innerOf(found: readonly LedgerTransaction[]): TransactionId[] {
  return found.flatMap(({ innerTransactions }) => innerTransactions);
}

const ethereumHashBytes = 32;

/** Whether something was scheduled and has not been executed, judging by these. */
export function awaitsExecution(transactions: readonly LedgerTransaction[]): boolean {
  return transactions.some(isScheduling) && !transactions.some(({ scheduled }) => scheduled);
}

export function isScheduling({ type, result }: LedgerTransaction): boolean {
  return type === typeNumber.scheduleCreate && isSuccess(result);
}

/** Whether more may be found long after the id's own time: scheduled ones. */
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
