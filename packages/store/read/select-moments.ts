// When a contract or account took part in what ran: was called, sent, or emitted a log; each along the index of its own
// table. Calls inside of others that left no record, no log and no result of their own are in no index.

import type { Range } from '../../kit/range.ts';
import type { Database } from '../../postgres/wire/database.ts';
import { blockOfResult, parentOfResult } from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { type PageFilter, selectPage } from './select-page.ts';
import { columns, expression, type RowOf, type Selection, selectAll } from './statement/columns.ts';
import { isShown } from './synthetic-result.ts';

const ofMoment = ['consensus_timestamp', 'payer_account_id', 'transaction_hash'] as const;
const nonce = (sql: string) => expression('transaction_nonce', 'int4', sql).nullable();
const ofResult = selectAll(columns('contract_result', ofMoment), nonce('transaction_nonce'));
const ofLog: typeof ofResult = selectAll(columns('contract_log', ofMoment), nonce('null::int4'));
const rest = joinAll(parentOfResult, blockOfResult);

/**
 * The transaction itself where `transactionNonce` is 0, else what stands in another one (`parentConsensusTimestamp`);
 * null of a log, which may be either.
 */
export type MomentRow = RowOf<typeof ofResult> & RowOf<typeof rest.select>;

type Source = { select: Selection<RowOf<typeof ofResult>>; from: string };
const sources = {
  called: { select: ofResult, from: 'contract_result where contract_id = $1' },
  sent: { select: ofResult, from: 'contract_result where sender_id = $1' },
  logged: { select: ofLog, from: `contract_log where contract_id = $1 and ${isShown('contract_log')}` },
} satisfies Record<string, Source>;
export type MomentSource = keyof typeof sources;
export const momentSources = Object.keys(sources) as MomentSource[];

/** By time; a transaction may have several. */
export function selectMoments(
  db: Database,
  source: MomentSource,
  { id, timestamp, ...page }: PageFilter & { id: bigint; timestamp: Range },
): Promise<MomentRow[]> {
  const query = { name: `select-moments-${source}`, values: [id], keys: { consensus_timestamp: timestamp } };
  return selectPage(db, page, { ...query, ...sources[source] }, rest);
}
