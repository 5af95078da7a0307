// Judges the plans of all statements of a question: no sequential scan of a table, no node that reads more rows than a
// page needs.

import type pg from 'pg';
import type { Database, NamedQuery } from '../../packages/postgres/wire/database.ts';
import { usualRealm } from '../../packages/protocol/hapi/system-entity.ts';
import { fillSchemaGaps, type SchemaGap } from '../../packages/schema/migration/schema-gaps.ts';
import { recordQueries } from '../../packages/test-support/postgres/record-queries.ts';
import { createLedger } from '../../src/ledger/create-ledger.ts';
import { explainQuery, type PlanKind, type TableRead } from './explain-query.ts';
import type { PlanQuestion } from './plan-question.ts';

export type Judgement = { query: string; excessive: TableRead[]; whole: TableRead[] };

type Surroundings = {
  db: Database;
  client: pg.Client;
  /** Gaps of the database's schema. */
  gaps?: readonly SchemaGap[];
  kind: PlanKind;
  now: bigint;
  /** Maximum for each node. */
  mostRows: number;
};

/** One for each statement with a bad plan. */
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
