// In the compact form no question reads more rows than a page needs either, on both sides of the border and across it.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { compactRows, makeCompact } from '../../packages/store/compact/compact-rows.ts';
import { inItsForm } from '../../packages/store/read/in-its-form.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { fillLedger, firstTimestamp, lastTimestamp } from '../../packages/test-support/rows/fill-ledger.ts';
import type { PlanKind } from './explain-query.ts';
import { type Judgement, judgePlans } from './judge-plans.ts';
import { planQuestions } from './plan-questions.ts';

/** As in plans.test.ts, and of a list a hundred moments at a time. */
const mostRows = 2_500;

/** Whose only row says from where on lists count. */
const ofOneRow = 'compact_extent';

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

describe.each<PlanKind>(['force_custom_plan', 'force_generic_plan'])('%s', (kind) => {
  it.each(planQuestions(middle))(
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
