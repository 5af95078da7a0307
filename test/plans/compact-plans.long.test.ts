// In the compact form no question reads more rows than a page needs either, on both sides of the border and across it.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anyRange } from '../../packages/kit/range.ts';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { compactRows, makeCompact } from '../../packages/store/compact/compact-rows.ts';
import { inItsForm } from '../../packages/store/read/in-its-form.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { fillLedger, firstTimestamp, lastTimestamp } from '../../packages/test-support/rows/fill-ledger.ts';
import type { PlanKind } from './explain-query.ts';
import { type Judgement, judgePlans } from './judge-plans.ts';
import type { PlanQuestion } from './plan-question.ts';
import { planQuestions } from './plan-questions.ts';
import { everyTransaction } from './transaction-questions.ts';

/** As in plans.test.ts, and of a list a hundred moments at a time. */
const mostRows = 2_500;

/** Whose only row says from where on lists count. */
const ofOneRow = 'compact_extent';

/** Ten accounts from it on have a transaction in a thousand. */
const newestAccount = 10_090n;

const middle = (firstTimestamp + lastTimestamp) / 2n;

let scratch: ScratchDatabase;
let stored: Database;
let db: Database;
let client: pg.Client;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  const { connectionString } = scratch;
  await fillLedger(connectionString);
  await makeCompact(connectionString);
  const { transactions, kept } = await compactRows({ connectionString, before: middle });
  expect(transactions).toBeGreaterThan(10_000);
  expect(kept).toBe(0);
  stored = openDatabase({ connectionString, maxConnections: 2 });
  db = await inItsForm(stored);
  client = new pg.Client({ connectionString });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await stored?.close();
  await scratch?.close();
});

/**
 * Accounts that few transactions moved anything of, as a range. A plan for any range reads along the time, in every form
 * of a database, so PostgreSQL plans such a statement for its values.
 */
const ofNewest: PlanQuestion[] = (['asc', 'desc'] as const).flatMap((order) =>
  [null, 'credit' as const].map(
    (moved): PlanQuestion => [
      `transactions of the newest accounts, ${order}, ${moved}`,
      (ledger) =>
        ledger.transactions.list({
          ...everyTransaction,
          ...{ order, moved },
          accounts: { ...anyRange, from: newestAccount },
        }),
    ],
  ),
);

describe.each<PlanKind>(['force_custom_plan', 'force_generic_plan'])('%s', (kind) => {
  it.each(kind === 'force_custom_plan' ? [...planQuestions(middle), ...ofNewest] : planQuestions(middle))(
    '%s reads few rows and no table from end to end',
    async (_name, ask) => {
      const faults = await judgePlans(ask, { db, client, kind, now: lastTimestamp, mostRows });
      const isFault = ({ excessive, whole }: Judgement): boolean =>
        excessive.length > 0 || whole.some(({ table }) => table !== ofOneRow);
      expect(faults.filter(isFault)).toEqual([]);
    },
    300_000,
  );
});
