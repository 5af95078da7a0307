// No question reads more rows than a page needs, whatever it asks and whichever way PostgreSQL plans it.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/store/wire/database.ts';
import { createScratchDatabase, type ScratchDatabase } from '../support/scratch-database.ts';
import type { PlanKind } from './explain-query.ts';
import { fillLedger, firstTimestamp, lastTimestamp } from './fill-ledger.ts';
import { judgePlans } from './judge-plans.ts';
import { planQuestions } from './plan-questions.ts';

/** A page, or the few hundred rows of each source that a type filter looks at. */
const mostRows = 2_500;

let scratch: ScratchDatabase;
let db: Database;
let client: pg.Client;

beforeAll(async () => {
  scratch = await createScratchDatabase();
  await fillLedger(scratch.connectionString);
  db = openDatabase({ connectionString: scratch.connectionString, maxConnections: 2 });
  client = new pg.Client({ connectionString: scratch.connectionString });
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await db?.close();
  await scratch?.close();
});

describe.each<PlanKind>(['force_custom_plan', 'force_generic_plan'])('%s', (kind) => {
  const middle = (firstTimestamp + lastTimestamp) / 2n;
  it.each(planQuestions(middle))('%s reads few rows and no table from end to end', async (_name, ask) => {
    expect(await judgePlans(ask, { db, client, kind, now: lastTimestamp, mostRows })).toEqual([]);
  });
});
