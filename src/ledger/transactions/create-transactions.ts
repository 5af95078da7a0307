// Queries about transactions of the whole ledger.

import { isAnyRange, isEmptyRange, type Range } from '../../../packages/kit/range.ts';
import type { Database } from '../../../packages/postgres/wire/database.ts';
import { type SystemRealm, systemEntityId } from '../../../packages/protocol/hapi/system-entity.ts';
import { selectFirstTransactionTimestamp } from '../../../packages/store/read/select-ledger-state.ts';
import { selectTransactions } from '../../../packages/store/read/select-transactions.ts';
import { askPage } from '../question/page.ts';
import { withinClock } from '../question/within-clock.ts';
import { createNamedTransactions } from './create-named-transactions.ts';
import { toTransaction } from './to-transaction.ts';
import type { TransactionsQuery } from './transaction.ts';

type Options = {
  db: Database;
  system: SystemRealm;
};

export function createTransactions({ db, system }: Options) {
  let first: bigint | null = null;
  return {
    ...createNamedTransactions({ db, system }),
    /** By consensus time. */
    list(query: TransactionsQuery) {
      const timestamp = withinClock(query.timestamp);
      const accounts = toAccounts(query.accounts);
      // No transaction has two timestamps.
      const isEmpty = isEmptyRange(timestamp) || query.timestamp.equals.length > 1;
      const rewardAccountId = systemEntityId('stakingRewards', system);
      return askPage(
        isEmpty || accounts === 'nobody' ? null : { ...query, accounts, timestamp, rewardAccountId },
        async (filter) => (await selectTransactions(db, filter)).rows.map((row) => toTransaction(row, db)),
        (last) => last.consensusTimestamp,
      );
    },
    /** Consensus timestamp of the oldest stored transaction (cached once known); null = none yet. */
    async firstTimestamp(): Promise<bigint | null> {
      first ??= await selectFirstTransactionTimestamp(db);
      return first;
    },
  };
}

/** null = all accounts. */
function toAccounts(range: Range): readonly bigint[] | Range | 'nobody' | null {
  if (isAnyRange(range)) return null;
  if (isEmptyRange(range)) return 'nobody';
  const { from, to, equals, notEquals } = range;
  if (equals.length === 0) return range;
  const ids = equals.filter(
    (id) => (from === null || id >= from) && (to === null || id <= to) && !notEquals.includes(id),
  );
  return ids.length > 0 ? ids : 'nobody';
}
