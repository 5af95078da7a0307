// The contract results of a span of time with everything that their transactions say, in order: those of transactions
// that clients sent, not of their children.

import type { Database } from '../../postgres/wire/database.ts';
import { responseCode } from '../../protocol/hapi/response-codes.ts';
import {
  entityOfResult,
  ethereumOfResult,
  pagedResult,
  type WithLists,
  withParsedLists,
} from './contract-result-row.ts';
import { joinAll } from './joined.ts';
import { detailedEthereum } from './select-contract-result.ts';
import { selectOne } from './select-one.ts';
import { selectPage } from './select-page.ts';
import { expression, type RowOf } from './statement/columns.ts';

const rest = joinAll(entityOfResult, ethereumOfResult('find-ethereum-of-block', detailedEthereum));

export type BlockResultRow = WithLists<RowOf<typeof pagedResult> & RowOf<typeof rest.select>>;

/** Refused before anything ran, or undone with its batch: no block of the EVM has them. */
const unblocked: readonly number[] = [
  ...[responseCode.WRONG_NONCE, responseCode.INVALID_ACCOUNT_ID, responseCode.REVERTED_SUCCESS],
];
const counted = `r.transaction_nonce = 0 and r.transaction_result not in (${unblocked.join(', ')})
  and (r.transaction_index is not null or r.gas_used > 0)`;

type Placed = Pick<RowOf<typeof pagedResult>, 'gasUsed' | 'transactionIndex' | 'transactionResult'>;

/** Whether a result of a transaction that a client sent is one of those that its block has. */
export function isOfBlock({ gasUsed, transactionIndex, transactionResult }: Placed): boolean {
  return !unblocked.includes(transactionResult) && (transactionIndex !== null || (gasUsed ?? 0n) > 0n);
}

/** Bounds are inclusive; ns. At most `limit`. */
export async function selectBlockResults(
  db: Database,
  { from, to, limit }: { from: bigint; to: bigint; limit: number },
): Promise<BlockResultRow[]> {
  const query = {
    name: 'select-block-results',
    select: pagedResult,
    from: `contract_result r where ${counted}`,
    values: [],
    keys: { consensus_timestamp: { from, to, equals: [], notEquals: [] } },
  };
  return (await selectPage(db, { order: 'asc', limit }, query, rest)).map(withParsedLists);
}

/** Gas that the same results used together. */
export async function selectGasUsed(db: Database, { from, to }: { from: bigint; to: bigint }): Promise<bigint> {
  const found = await selectOne(db, {
    name: 'select-gas-used',
    select: expression('gas', 'int8', 'coalesce(sum(r.gas_used), 0)::int8'),
    from: `from contract_result r
where ${counted} and r.consensus_timestamp >= $1 and r.consensus_timestamp <= $2`,
    values: [from, to],
  });
  return found!.gas;
}
