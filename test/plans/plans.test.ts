// No question reads more rows than a page needs, whatever it asks and whichever way PostgreSQL plans it.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { answerTables } from '../../packages/schema/migration/schema-gaps.ts';
import { tables } from '../../packages/schema/tables.ts';
import { selectContractCreation, selectEntityKind } from '../../packages/store/read/select-contract-creation.ts';
import { selectLedgerTrust } from '../../packages/store/read/select-ledger-trust.ts';
import { selectNewestBlock } from '../../packages/store/read/select-newest-block.ts';
import {
  selectBlockPaths,
  selectHistoryNodes,
  selectVerifiedProofs,
} from '../../packages/store/read/select-proof-parts.ts';
import { recordQueries } from '../../packages/test-support/postgres/record-queries.ts';
import { createScratchDatabase, type ScratchDatabase } from '../../packages/test-support/postgres/scratch-database.ts';
import { fillLedger, firstTimestamp, hotAccount, lastTimestamp } from '../../packages/test-support/rows/fill-ledger.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import type { PlanKind } from './explain-query.ts';
import { judgePlans } from './judge-plans.ts';
import { madeQuestions } from './made-questions.ts';
import type { PlanQuestion } from './plan-question.ts';
import { planQuestions } from './plan-questions.ts';
import { readPlanWords } from './plan-words.ts';

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
  it.each(planQuestions(middle))(
    '%s reads few rows and no table from end to end',
    async (_name, ask) => {
      expect(await judgePlans(ask, { db, client, kind, now: lastTimestamp, mostRows })).toEqual([]);
    },
    300_000,
  );
});

describe('the questions', () => {
  it('ask every statement that requests to the endpoints ask', async () => {
    const planned = planQuestions((firstTimestamp + lastTimestamp) / 2n);
    const made = madeQuestions(await readPlanWords(db, lastTimestamp), { ofEach: 12 });
    const [ofPlans, ofRequests] = [await namesAsked(planned), await namesAsked(made)];
    expect([...ofRequests].filter((name) => !ofPlans.has(name))).toEqual([]);
    const without = await namesAsked(planned.filter(([name]) => !name.startsWith('registered ')));
    expect([...ofRequests].filter((name) => !without.has(name))).toEqual(['select-registered-nodes']);
  });

  async function namesAsked(questions: readonly PlanQuestion[]): Promise<Set<string>> {
    const names = new Set<string>();
    const recording = recordQueries(db, ({ name }) => names.add(name));
    const ledger = createLedger({ db: recording, clock: () => lastTimestamp, system: usualRealm });
    for (const [, ask] of questions) await ask(ledger);
    return names;
  }
});

describe('the descriptions of tables', () => {
  it('say which ones answers are read from: those that the queries name, and no other', async () => {
    const read = new Set<string>();
    const recording = recordQueries(db, ({ text }) => {
      for (const [, table] of text.matchAll(/\b(?:from|join) (\w+)/g)) read.add(table!);
    });
    const ledger = createLedger({ db: recording, clock: () => lastTimestamp, system: usualRealm });
    for (const [, ask] of planQuestions((firstTimestamp + lastTimestamp) / 2n)) await ask(ledger);
    // What proofs of blocks of a block stream take.
    await selectVerifiedProofs(recording, firstTimestamp);
    await selectBlockPaths(recording, 1n, 9n);
    await selectHistoryNodes(recording, [{ level: 8, place: 0n }]);
    await selectLedgerTrust(recording);
    // What only contract verification and the status ask.
    await selectContractCreation(recording, firstTimestamp);
    await selectEntityKind(recording, hotAccount);
    await selectNewestBlock(recording);
    const described = Object.keys(tables).flatMap((name) => [name, `${name}_history`]);
    expect(described.filter((name) => read.has(name)).sort()).toEqual([...answerTables.keys()]);
  }, 300_000);
});
