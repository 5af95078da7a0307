// Asks a question and looks at the plan of every statement that it took: no table read from end to end, no node that goes
// through more rows than a page needs.

import type pg from 'pg';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { usualRealm } from '../../src/protocol/hapi/system-entity.ts';
import type { SchemaGap } from '../../src/store/migration/schema-gaps.ts';
import { fillSchemaGaps } from '../../src/store/migration/schema-gaps.ts';
import type { Database, NamedQuery } from '../../src/store/wire/database.ts';
import { recordQueries } from '../support/record-queries.ts';
import { explainQuery, type PlanKind, type TableRead } from './explain-query.ts';
import type { PlanQuestion } from './plan-questions.ts';

export type Judgement = { query: string; excessive: TableRead[]; whole: TableRead[] };

type Surroundings = {
  db: Database;
  client: pg.Client;
  /** What the database lacks. */
  gaps?: readonly SchemaGap[];
  kind: PlanKind;
  now: bigint;
  /** That any one node may go through. */
  mostRows: number;
};

/** One for each statement that is at fault. */
export async function judgePlans(
  ask: PlanQuestion[1],
  { db, client, gaps = [], kind, now, mostRows }: Surroundings,
): Promise<Judgement[]> {
  const asked: NamedQuery[] = [];
  const recording = recordQueries(db, (query) => {
    const { text, complete } = query;
    asked.push({ ...query, text: complete?.(text) ?? text });
  });
  await ask(createLedger({ db: fillSchemaGaps(recording, gaps), clock: () => now, system: usualRealm }));
  const faults: Judgement[] = [];
  for (const query of asked) {
    const reads = await explainQuery(client, query, kind);
    const excessive = reads.filter((read) => read.rows > mostRows);
    const whole = reads.filter((read) => read.node === 'Seq Scan' && read.rows > 0);
    if (excessive.length > 0 || whole.length > 0) faults.push({ query: query.name, excessive, whole });
  }
  return faults;
}
