// Every documented filter in both directions on a million transactions and more, with the Hiero mirror node's own
// indexes and no others. Takes some minutes: only with LEDGER_MIRROR_LONG_TESTS=1. LEDGER_MIRROR_LONG_TRANSACTIONS sets
// the size.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { findSchemaGaps, type SchemaGap } from '../../packages/schema/migration/schema-gaps.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { fillLedger, firstTimestamp, lastTimestampOf } from '../../packages/test-support/rows/fill-ledger.ts';
import { toHieroLayout } from '../support/tables/hiero-layout.ts';
import type { PlanKind } from './explain-query.ts';
import { isWithoutIndex } from './filters-without-index.ts';
import { type Judgement, judgePlans } from './judge-plans.ts';
import { madeQuestions } from './made-questions.ts';
import type { PlanQuestion } from './plan-question.ts';
import { everyFilter } from './plan-questions.ts';
import { readPlanWords } from './plan-words.ts';

const isWanted = process.env.LEDGER_MIRROR_LONG_TESTS === '1';
const transactions = Number(process.env.LEDGER_MIRROR_LONG_TRANSACTIONS ?? 1_000_000);
/**
 * One in a hundred transactions. An hour of them, or all schedules of one creator, are gone through where that is
 * cheapest.
 */
const mostRows = transactions / 100;
const longest = 3_600_000;

describe.skipIf(!isWanted)(`${transactions} transactions, with the indexes of a Hiero mirror node alone`, () => {
  const now = lastTimestampOf(transactions);
  let scratch: ScratchDatabase;
  let db: Database;
  let client: pg.Client;
  let gaps: SchemaGap[];

  beforeAll(async () => {
    scratch = await createScratchDatabase();
    await fillLedger(scratch.connectionString, transactions);
    client = new pg.Client({ connectionString: scratch.connectionString });
    await client.connect();
    await toHieroLayout(client, 'v1');
    gaps = await findSchemaGaps(scratch.connectionString);
    db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
  }, longest);
  afterAll(async () => {
    await client?.end();
    await db?.close();
    await scratch?.close();
  });

  describe.each<PlanKind>(['force_custom_plan', 'force_generic_plan'])('%s', (kind) => {
    async function judgeAll(questions: readonly PlanQuestion[]) {
      const faults: (Judgement & { question: string })[] = [];
      for (const [question, ask] of questions) {
        for (const fault of await judgePlans(ask, { db, client, gaps, kind, now, mostRows }))
          faults.push({ question, ...fault });
      }
      return faults;
    }

    it(
      'no table is read from end to end, no node goes through more rows than a page needs',
      async () => {
        const questions = everyFilter((firstTimestamp + now) / 2n);
        expect(questions.length).toBeGreaterThan(800);
        expect(await judgeAll(questions)).toEqual([]);
      },
      longest,
    );

    it(
      'nor for made-up requests to every endpoint, but for what no index of a mirror node serves',
      async () => {
        const faults = await judgeAll(madeQuestions(await readPlanWords(db, now), { ofEach: 40 }));
        expect(faults.filter(({ question }) => !isWithoutIndex(question))).toEqual([]);
      },
      longest,
    );
  });
});
